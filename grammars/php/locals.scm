; Where names are declared, used and scoped. Beside the usual captures: @local.name marks a node whose name is its parent's;
; @local.declaration a node that declares itself, where it is not the parent of the definition.

[
  (name)
] @local.reference

(class_declaration name: (_) @local.definition)
(enum_case name: (_) @local.definition)
(enum_declaration name: (_) @local.definition)
(function_definition name: (_) @local.definition)
(interface_declaration name: (_) @local.definition)
(method_declaration name: (_) @local.definition)
(trait_declaration name: (_) @local.definition)

; What stands between a declaration and its name.
(member_access_expression name: (_) @local.name)
(member_call_expression name: (_) @local.name)
(nullsafe_member_access_expression name: (_) @local.name)
(nullsafe_member_call_expression name: (_) @local.name)
(scoped_call_expression name: (_) @local.name)

[
  (arrow_function)
  (catch_clause)
  (colon_block)
  (compound_statement)
  (for_statement)
  (function_definition)
  (heredoc_body)
  (match_block)
  (method_declaration)
  (nowdoc_body)
  (program)
  (switch_block)
] @local.scope
