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

; Parameters, what is imported, and what a value declares that is given to it.
(assignment_expression left: (variable_name) @local.definition.assigned)
(catch_clause name: (variable_name) @local.definition)
(const_element . (name) @local.definition)
(namespace_use_clause alias: (_) @local.definition.import)
(namespace_use_clause !alias . (name) @local.definition.import)
(namespace_use_clause !alias (qualified_name (name) @local.definition.import))
(property_element name: (variable_name) @local.definition)
(simple_parameter name: (variable_name) @local.definition)
(static_variable_declaration name: (variable_name) @local.definition)
(variadic_parameter name: (variable_name) @local.definition)

; What stands between a declaration and its name.
(member_access_expression name: (_) @local.name)
(member_call_expression name: (_) @local.name)
(nullsafe_member_access_expression name: (_) @local.name)
(nullsafe_member_call_expression name: (_) @local.name)
(scoped_call_expression name: (_) @local.name)
(variable_name (name) @local.name)

[
  (anonymous_function)
  (arrow_function)
  (function_definition)
  (heredoc_body)
  (method_declaration)
  (nowdoc_body)
  (program)
] @local.scope
