; Where names are declared, used and scoped. Beside the usual captures: @local.name marks a node whose name is its parent's;
; @local.declaration a node that declares itself, where it is not the parent of the definition.

[
  (identifier)
  (yul_identifier)
  (enum_value)
] @local.reference

(constant_variable_declaration name: (_) @local.definition)
(contract_declaration name: (_) @local.definition)
(enum_declaration name: (_) @local.definition)
(error_declaration name: (_) @local.definition)
(error_parameter name: (_) @local.definition)
(event_definition name: (_) @local.definition)
(event_parameter name: (_) @local.definition)
(function_definition name: (_) @local.definition)
(interface_declaration name: (_) @local.definition)
(library_declaration name: (_) @local.definition)
(modifier_definition name: (_) @local.definition)
(parameter name: (_) @local.definition)
(state_variable_declaration name: (_) @local.definition)
(struct_declaration name: (_) @local.definition)
(struct_field_assignment name: (_) @local.definition)
(struct_member name: (_) @local.definition)
(user_defined_type_definition name: (_) @local.definition)
(variable_declaration name: (_) @local.definition)

[
  (block_statement)
  (catch_clause)
  (contract_body)
  (enum_body)
  (for_statement)
  (function_body)
  (function_definition)
  (source_file)
  (struct_body)
  (yul_block)
  (yul_for_statement)
  (yul_function_definition)
] @local.scope
