; Where names are declared, used and scoped. Beside the usual captures: @local.name marks a node whose name is its parent's;
; @local.declaration a node that declares itself, where it is not the parent of the definition.

[
  (identifier)
] @local.reference

(class_definition name: (_) @local.definition)
(function_definition name: (_) @local.definition)

; Bare names in lists of parameters.
(lambda_parameters (_) @local.definition @local.declaration)
(parameters (_) @local.definition @local.declaration)

; What stands between a declaration and its name.
(as_pattern (_) @local.name)
(case_pattern (_) @local.name)
(class_pattern (_) @local.name)
(default_parameter name: (_) @local.name)
(dictionary_splat_pattern (_) @local.name)
(keyword_pattern (_) @local.name)
(list_pattern (_) @local.name)
(list_splat_pattern (_) @local.name)
(named_expression name: (_) @local.name)
(splat_pattern (_) @local.name)
(tuple_pattern (_) @local.name)
(typed_default_parameter name: (_) @local.name)
(union_pattern (_) @local.name)

[
  (block)
  (for_statement)
  (function_definition)
  (lambda)
  (lambda_parameters)
  (module)
] @local.scope
