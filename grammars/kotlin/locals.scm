; Where names are declared, used and scoped. Beside the usual captures: @local.name marks a node whose name is its parent's;
; @local.declaration a node that declares itself, where it is not the parent of the definition.

[
  (identifier)
] @local.reference

(class_declaration name: (_) @local.definition)
(companion_object name: (_) @local.definition)
(function_declaration name: (_) @local.definition)
(object_declaration name: (_) @local.definition)

; Bare names in lists of parameters.
(function_value_parameters (_) @local.definition @local.declaration)

; What stands between a declaration and its name.
(return_expression label: (_) @local.name)

[
  (annotated_lambda)
  (block)
  (catch_block)
  (class_body)
  (enum_class_body)
  (finally_block)
  (for_statement)
  (function_body)
  (function_declaration)
  (lambda_literal)
  (lambda_parameters)
  (source_file)
] @local.scope
