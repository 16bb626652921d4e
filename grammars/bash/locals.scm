; Where names are declared, used and scoped. Beside the usual captures: @local.name marks a node whose name is its parent's;
; @local.declaration a node that declares itself, where it is not the parent of the definition.

[
  (variable_name)
  (word)
] @local.reference

(function_definition name: (_) @local.definition)
(variable_assignment name: (_) @local.definition)

; What stands between a declaration and its name.
(subscript name: (_) @local.name)

[
  (c_style_for_statement)
  (compound_statement)
  (for_statement)
  (function_definition)
  (heredoc_body)
  (program)
] @local.scope
