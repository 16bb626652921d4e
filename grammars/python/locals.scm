; Where names are declared, used and scoped. Beside the usual captures: @local.name marks a node whose name is its parent's;
; @local.declaration a node that declares itself, where it is not the parent of the definition.

[
  (identifier)
] @local.reference.bare

; What stands behind a dot is a member of something, and so may be what names an argument.
(attribute attribute: (_) @local.reference.dotted)
(keyword_argument name: (_) @local.reference.member)

(class_definition name: (_) @local.definition)
(function_definition name: (_) @local.definition)

; Members are never named bare outside of their class.
(class_definition body: (block [
  (function_definition name: (_) @local.definition.member)
  (decorated_definition definition: (function_definition name: (_) @local.definition.member))
]))

; What is imported.
(aliased_import alias: (_) @local.definition.import)
(import_from_statement name: (dotted_name) @local.definition.import @local.definition.bare @local.declaration)
(import_statement name: (dotted_name) @local.definition.import @local.definition.bare @local.declaration)
(import_from_statement name: (dotted_name (identifier) @local.name))
(import_statement name: (dotted_name . (identifier) @local.name))

; What a value declares that is given to it.
(as_pattern_target (_) @local.definition.assigned)
(assignment left: (_) @local.definition.assigned)
(for_in_clause left: (_) @local.definition.bare)
(for_statement left: (_) @local.definition.assigned @local.definition.bare)
(function_definition body: (block (expression_statement (assignment left: (_) @local.definition.bare))))
(module (expression_statement (assignment left: (_) @local.definition.bare)))
(named_expression name: (_) @local.definition.assigned)

; Bare names in lists of parameters.
(lambda_parameters (_) @local.definition.bare @local.declaration)
(parameters (_) @local.definition.bare @local.declaration)

; What stands between a declaration and its name.
(as_pattern (_) @local.name)
(case_pattern (_) @local.name)
(class_pattern (_) @local.name)
(default_parameter name: (_) @local.name)
(dictionary_splat_pattern (_) @local.name)
(keyword_pattern (_) @local.name)
(list_pattern (_) @local.name)
(list_splat_pattern (_) @local.name)
(pattern_list (_) @local.name)
(splat_pattern (_) @local.name)
(tuple_pattern (_) @local.name)
(typed_default_parameter name: (_) @local.name)
(union_pattern (_) @local.name)

[
  (dictionary_comprehension)
  (function_definition)
  (generator_expression)
  (lambda)
  (list_comprehension)
  (module)
  (set_comprehension)
] @local.scope
