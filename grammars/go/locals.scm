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
(type_parameter_declaration name: (_) @local.definition.within)
(type_spec name: (_) @local.definition)
(var_spec name: (_) @local.definition)
(variadic_parameter_declaration name: (_) @local.definition)

; An import declares the last word of its path.
(import_spec !name path: (interpreted_string_literal
  (interpreted_string_literal_content) @local.name @local.reference) @local.definition.import)

; What is declared where a value is given for the first time.
(short_var_declaration left: (expression_list (identifier) @local.name) @local.definition)
(range_clause left: (expression_list (identifier) @local.name) @local.definition ":=")
(receive_statement left: (expression_list (identifier) @local.name) @local.definition ":=")
(type_switch_statement alias: (expression_list (identifier) @local.name) @local.definition)

[
  (block)
  (communication_case)
  (default_case)
  (expression_case)
  (expression_switch_statement)
  (for_statement)
  (func_literal)
  (function_declaration)
  (if_statement)
  (method_declaration)
  (method_elem)
  (source_file)
  (type_case)
  (type_switch_statement)
] @local.scope
