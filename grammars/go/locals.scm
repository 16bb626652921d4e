; Where names are declared, used and scoped. Beside the usual captures: @local.name marks a node whose name is its parent's;
; @local.declaration a node that declares itself, where it is not the parent of the definition.

[
  (identifier)
  (type_identifier)
  (field_identifier)
  (package_identifier)
  (label_name)
] @local.reference

(const_spec name: (_) @local.definition)
(field_declaration name: (_) @local.definition)
(function_declaration name: (_) @local.definition)
(import_spec name: (_) @local.definition)
(labeled_statement label: (_) @local.definition)
(method_declaration name: (_) @local.definition)
(method_elem name: (_) @local.definition)
(parameter_declaration name: (_) @local.definition)
(type_alias name: (_) @local.definition)
(type_parameter_declaration name: (_) @local.definition)
(type_spec name: (_) @local.definition)
(var_spec name: (_) @local.definition)
(variadic_parameter_declaration name: (_) @local.definition)

[
  (block)
  (for_statement)
  (function_declaration)
  (method_declaration)
  (method_elem)
  (source_file)
] @local.scope
