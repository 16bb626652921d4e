; Where names are declared, used and scoped. Beside the usual captures: @local.name marks a node whose name is its parent's;
; @local.declaration a node that declares itself, where it is not the parent of the definition; @local.definition.import a name
; that is declared elsewhere, too.

[
  (identifier)
  (type_identifier)
  (field_identifier)
  (namespace_identifier)
  (statement_identifier)
  (primitive_type)
  (literal_suffix)
] @local.reference

(alias_declaration name: (_) @local.definition.type)
(class_specifier name: (_) @local.definition.type body: (_))
(concept_definition name: (_) @local.definition)
(declaration declarator: (_) @local.definition)
(enum_specifier name: (_) @local.definition.type body: (_))
(enumerator name: (_) @local.definition)
(field_declaration declarator: (_) @local.definition)
(for_range_loop declarator: (_) @local.definition)
(function_definition declarator: (_) @local.definition)
(labeled_statement label: (_) @local.definition)
(namespace_alias_definition name: (_) @local.definition)
(namespace_definition name: (_) @local.definition)
(optional_parameter_declaration declarator: (_) @local.definition)
(preproc_def name: (_) @local.definition)
(preproc_function_def name: (_) @local.definition)
(struct_specifier name: (_) @local.definition.type body: (_))
(template_declaration (alias_declaration name: (_) @local.definition.calculated))
(template_declaration [(class_specifier name: (_) @local.definition.type !body) (struct_specifier name: (_) @local.definition.type !body) (union_specifier name: (_) @local.definition.type !body)])
(template_instantiation declarator: (_) @local.definition)
(type_definition declarator: (_) @local.definition.type)
(union_specifier name: (_) @local.definition.type body: (_))
; What makes a whole namespace known declares nothing.
((using_declaration (qualified_identifier name: (_) @local.definition.import)) @whole (#not-match? @whole "^using\\s+namespace"))
(variadic_parameter_declaration declarator: (_) @local.definition)
; What looks like a parameter of a type may be an operand: `a & b` in brackets.
(catch_clause parameters: (parameter_list (parameter_declaration declarator: (_) @local.definition)))
(function_declarator parameters: (parameter_list (parameter_declaration declarator: (_) @local.definition)))
(lambda_expression declarator: (abstract_function_declarator parameters: (parameter_list (parameter_declaration declarator: (_) @local.definition))))
(requires_expression parameters: (parameter_list (parameter_declaration declarator: (_) @local.definition)))
; What stands for an argument is known in its template only.
(template_parameter_list [
  (optional_parameter_declaration declarator: (_) @local.definition.within)
  (optional_type_parameter_declaration name: (_) @local.definition.within)
  (parameter_declaration declarator: (_) @local.definition.within)
  (type_parameter_declaration (type_identifier) @local.definition.within)
  (variadic_parameter_declaration declarator: (_) @local.definition.within)
  (variadic_type_parameter_declaration (type_identifier) @local.definition.within)
])

; What stands between a declaration and its name.
(array_declarator declarator: (_) @local.name)
(attributed_declarator [(array_declarator) (attributed_declarator) (function_declarator) (parenthesized_declarator) (pointer_declarator) (qualified_identifier) (reference_declarator) (template_function) (template_method)] @local.name)
(function_declarator declarator: (_) @local.name)
(function_declarator declarator: (parenthesized_declarator [(field_identifier) (identifier) (type_identifier)] @local.name))
; The parser may take the type of a function whose name stands in parentheses for the name, and the name for the type of a parameter.
(function_declarator declarator: (function_declarator
  declarator: (_) @local.mistaken
  parameters: (parameter_list . (parameter_declaration . type: [(qualified_identifier) (template_type) (type_identifier)] @local.name .) @local.name .) @local.name))
(init_declarator declarator: (_) @local.name)
; A literal's suffix is the name of the operator that makes something of it.
(operator_name (identifier) @local.name @local.suffix)
(literal_suffix) @local.suffix
(parameter_pack_expansion pattern: (_) @local.name)
(parenthesized_declarator [(array_declarator) (attributed_declarator) (function_declarator) (parenthesized_declarator) (pointer_declarator) (qualified_identifier) (reference_declarator) (template_function) (template_method)] @local.name)
(pointer_declarator declarator: (_) @local.name)
(pointer_type_declarator declarator: (_) @local.name)
(qualified_identifier name: (_) @local.name)
(reference_declarator (_) @local.name)
(structured_binding_declarator (identifier) @local.name)
(template_function name: (_) @local.name)
(template_method name: (_) @local.name)
(template_type name: (_) @local.name)

[
  (catch_clause)
  (compound_statement)
  (for_range_loop)
  (for_statement)
  (function_definition)
  (lambda_expression)
  (template_method)
  (translation_unit)
] @local.scope

; What a name means for some arguments only; so a guide says what a template is made of.
(class_specifier name: [(template_type) (qualified_identifier name: (template_type))] @local.special)
(function_declarator declarator: [
  (template_function)
  (qualified_identifier name: (template_function))
  (qualified_identifier name: (qualified_identifier name: (template_function)))
] @local.special)
(init_declarator declarator: (template_function) @local.special)
(declaration !type declarator: (function_declarator (trailing_return_type)) @local.special)
(struct_specifier name: [(template_type) (qualified_identifier name: (template_type))] @local.special)

; What must be known for a declaration to be meant, if it is one of several: what it takes, specialises or belongs to.
(class_specifier name: (template_type arguments: (_) @local.head))
(declaration declarator: (qualified_identifier scope: (_) @local.head.owner))
(function_declarator declarator: (qualified_identifier scope: (_) @local.head.owner))
(function_definition declarator: (qualified_identifier scope: (_) @local.head.owner))
; The parser may take the owner and the word for the type of a function that is called like the type.
((function_definition type: (qualified_identifier scope: (_) @local.head.owner name: (type_identifier) @word)) (#eq? @word "operator"))
(function_declarator declarator: [
  (template_function arguments: (_) @local.head)
  (qualified_identifier name: (template_function arguments: (_) @local.head))
])
(function_declarator parameters: (_) @local.head)
(init_declarator declarator: (qualified_identifier scope: (_) @local.head.owner))
(init_declarator declarator: (template_function arguments: (_) @local.head))
(operator_cast type: (_) @local.head)
(struct_specifier name: (template_type arguments: (_) @local.head))

; What has arguments where a type stands is no function, and no member that has the name of a template elsewhere. A call among the
; arguments of a template looks like a type to the parser.
(template_type name: (type_identifier) @local.instance)
(type_descriptor type: [
  (template_type name: (type_identifier) @local.called)
  (qualified_identifier name: (template_type name: (type_identifier) @local.called))
  (qualified_identifier name: (qualified_identifier name: (template_type name: (type_identifier) @local.called)))
] declarator: (abstract_function_declarator))
(template_declaration [
  (alias_declaration)
  (class_specifier)
  (concept_definition)
  (declaration declarator: [
    (array_declarator)
    (identifier)
    (init_declarator)
    (pointer_declarator declarator: (identifier))
    (reference_declarator (identifier))
  ])
  (function_definition declarator: (identifier))
  (struct_specifier)
  (union_specifier)
] @local.template)
(template_template_parameter_declaration (_) @local.template)
[(preproc_def) (preproc_function_def)] @local.template
; What makes an object of a template has its name.
[(declaration !type) (function_definition !type)] @local.template

; Types that are calculated from what they mention.
[
  (decltype)
  (dependent_type)
  (qualified_identifier scope: (template_type))
] @local.calculation

; What makes an object of a class that is given no value is run when the program starts.
((declaration type: [(qualified_identifier) (template_type) (type_identifier)] declarator: (identifier)) @local.acting
  (#not-match? @local.acting "\\b(?:const|constexpr|extern|thread_local)\\b"))

; What is defined in a type that lets it in, but is no member.
(friend_declaration (function_definition) @local.beside)

; What has a place of its own in an object, or in the table of what is virtual.
((field_declaration declarator: [
  (array_declarator)
  (field_identifier)
  (function_declarator declarator: (parenthesized_declarator))
  (parenthesized_declarator)
  (pointer_declarator declarator: [
    (array_declarator)
    (field_identifier)
    (function_declarator declarator: (parenthesized_declarator))
    (parenthesized_declarator)
    (pointer_declarator)
  ])
  (reference_declarator [(field_identifier) (function_declarator declarator: (parenthesized_declarator)) (parenthesized_declarator)])
]) @local.placed (#not-match? @local.placed "^[^;={(]*\\bstatic\\b"))
(field_declaration type: [(struct_specifier !name) (union_specifier !name)] !declarator) @local.placed
(declaration "virtual") @local.placed
(field_declaration "virtual") @local.placed
(function_definition "virtual") @local.placed
(function_declarator (virtual_specifier)) @local.placed

; Operators, what declares one outside of a class, and what makes one known that is declared elsewhere.
(assignment_expression operator: _ @local.operator)
(binary_expression operator: _ @local.operator)
(fold_expression operator: _ @local.operator)
(unary_expression operator: _ @local.operator)
(update_expression operator: _ @local.operator)
(function_declarator declarator: (operator_name "operator" . _ @local.operator.definition .))
(using_declaration (qualified_identifier name: [
  (operator_name "operator" . _ @local.operator.import .)
  (qualified_identifier name: (operator_name "operator" . _ @local.operator.import .))
]))

; Where a constant is wanted, so that functions are run while the program is compiled.
[
  (bitfield_clause)
  (concept_definition)
  (explicit_function_specifier)
  (noexcept)
  (requires_clause)
  (static_assert_declaration)
  (template_argument_list)
  (template_parameter_list)
] @local.early
(array_declarator size: (_) @local.early)
(case_statement value: (_) @local.early)
(declaration (type_qualifier "constexpr") declarator: (_) @local.early)
(declaration (type_qualifier "constinit") declarator: (_) @local.early)
(enumerator value: (_) @local.early)
(field_declaration (type_qualifier "constexpr") default_value: (_) @local.early)
(if_statement "constexpr" condition: (_) @local.early)

; What is only looked at, even there.
[
  (compound_requirement)
  (decltype)
  (simple_requirement)
  (sizeof_expression)
  (type_requirement)
] @local.unevaluated
(call_expression function: (identifier) @called arguments: (_) @local.unevaluated (#eq? @called "noexcept"))
