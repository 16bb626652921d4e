; Where names are declared, used and scoped. Beside the usual captures: @local.name marks a node whose name is its parent's;
; @local.declaration a node that declares itself, where it is not the parent of the definition.

(identifier) @local.reference.bare
(implicit_parameter) @local.reference.bare

; What stands behind a dot is a member of something, or lies in a namespace.
(member_access_expression name: (identifier) @local.reference.dotted)
(member_access_expression name: (generic_name (identifier) @local.reference.dotted))
(member_binding_expression name: (identifier) @local.reference.dotted)
(member_binding_expression name: (generic_name (identifier) @local.reference.dotted))
(qualified_name name: (identifier) @local.reference.dotted)
(qualified_name name: (generic_name (identifier) @local.reference.dotted))

; So is what is given a value, or looked at, in braces behind an object, and what is set in an attribute.
(attribute_argument name: (identifier) @local.reference.dotted)
(initializer_expression (assignment_expression left: (identifier) @local.reference.dotted))
(subpattern . (identifier) @local.reference.dotted ":")
(with_initializer . (identifier) @local.reference.dotted)

(bracketed_parameter_list name: (_) @local.definition.bare)
(catch_declaration name: (_) @local.definition.bare)
(class_declaration name: (_) @local.definition.type)
(constructor_declaration name: (_) @local.definition)
(declaration_expression name: (_) @local.definition.bare)
(declaration_pattern name: (_) @local.definition.bare)
(delegate_declaration name: (_) @local.definition.type)
(destructor_declaration name: (_) @local.definition)
(enum_declaration name: (_) @local.definition.type)
(enum_member_declaration name: (_) @local.definition)
(event_declaration name: (_) @local.definition)
(extern_alias_directive name: (_) @local.definition)
(fixed_statement (variable_declaration (variable_declarator name: (_) @local.definition.bare)))
(for_statement (variable_declaration (variable_declarator name: (_) @local.definition.bare)))
(foreach_statement type: (_) left: (identifier) @local.definition.bare)
(from_clause name: (_) @local.definition.bare)
(interface_declaration name: (_) @local.definition.type)
(join_clause (identifier) @local.definition.bare . "in")
(join_into_clause (identifier) @local.definition.bare)
(labeled_statement . (identifier) @local.definition.bare)
(lambda_expression parameters: (implicit_parameter) @local.definition.bare @local.declaration)
(let_clause . (identifier) @local.definition.bare)
(list_pattern name: (_) @local.definition.bare)
(local_declaration_statement (variable_declaration (variable_declarator name: (_) @local.definition.bare)))
(local_function_statement name: (_) @local.definition.bare)
(method_declaration name: (_) @local.definition)
(namespace_declaration name: (_) @local.definition)
(parameter name: (_) @local.definition.bare)
(parameter_list name: (_) @local.definition.bare)
(parenthesized_variable_designation name: (_) @local.definition.bare)
(property_declaration name: (_) @local.definition)
(query_expression "into" . (identifier) @local.definition.bare)
(record_declaration name: (_) @local.definition.type)
(recursive_pattern name: (_) @local.definition.bare)
(struct_declaration name: (_) @local.definition.type)
(tuple_element name: (_) @local.definition.member)
(tuple_pattern name: (_) @local.definition.bare)
(type_parameter name: (_) @local.definition.within)
(using_directive name: (_) @local.definition)
(using_statement (variable_declaration (variable_declarator name: (_) @local.definition.bare)))
(var_pattern name: (_) @local.definition.bare)
(variable_declarator name: (_) @local.definition)

; What a type takes is known in it; in a record it is a member, too.
(class_declaration (parameter_list (parameter name: (_) @local.definition.within)))
(record_declaration (parameter_list (parameter name: (_) @local.definition.member)))
(struct_declaration (parameter_list (parameter name: (_) @local.definition.within)))

; What stands between a declaration and its name.
(qualified_name name: (_) @local.name)

[
  (accessor_declaration)
  (anonymous_method_expression)
  (block)
  (catch_clause)
  (compilation_unit)
  (constructor_declaration)
  (conversion_operator_declaration)
  (delegate_declaration)
  (for_statement)
  (foreach_statement)
  (indexer_declaration)
  (lambda_expression)
  (local_function_statement)
  (method_declaration)
  (operator_declaration)
  (switch_body)
  (using_statement)
] @local.scope

; What is declared in a type belongs to it; a namespace has a list of the same kind, and what is declared there is seen everywhere.
(class_declaration body: (_) @local.scope)
(enum_declaration body: (_) @local.scope)
(interface_declaration body: (_) @local.scope)
(record_declaration body: (_) @local.scope)
(struct_declaration body: (_) @local.scope)
