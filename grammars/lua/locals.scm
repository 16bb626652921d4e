; Where names are declared, used and scoped. Beside the usual captures: @local.name marks a node whose name is its parent's;
; @local.declaration a node that declares itself, where it is not the parent of the definition.

[
  (identifier)
] @local.reference

(field name: (_) @local.definition)
(for_numeric_clause name: (_) @local.definition)
(function_declaration name: (_) @local.definition)

; What a value declares that is given to it.
(block (assignment_statement (variable_list) @local.definition.global))
(chunk (assignment_statement (variable_list) @local.definition.global))
(for_generic_clause (variable_list) @local.definition)
(variable_declaration (assignment_statement (variable_list) @local.definition))
(variable_declaration (variable_list) @local.definition)

; Bare names in lists of parameters.
(parameters (_) @local.definition @local.declaration)

; What stands between a declaration and its name.
(function_call name: (_) @local.name)
(function_declaration name: (dot_index_expression field: (_) @local.name))
(function_declaration name: (method_index_expression method: (_) @local.name))
(variable_list name: (_) @local.name)

[
  (block)
  (chunk)
  (for_statement)
  (function_declaration)
  (function_definition)
] @local.scope
