; Where names are declared, used and scoped. Beside the usual captures: @local.name marks a node whose name is its parent's;
; @local.declaration a node that declares itself, where it is not the parent of the definition.

[
  (identifier)
  (type_identifier)
  (package_identifier)
  (label_name)
] @local.reference.bare

; What stands behind a dot, or before a colon, is a member of something; before a colon it may be a value too.
(field_identifier) @local.reference.member
(keyed_element key: (literal_element (identifier) @local.reference.member))

(const_spec name: (_) @local.definition.bare)
(field_declaration name: (_) @local.definition.member)
(function_declaration name: (_) @local.definition.bare)
(import_spec name: (_) @local.definition.bare)
(labeled_statement label: (_) @local.definition)
(method_declaration name: (_) @local.definition.member)
(method_elem name: (_) @local.definition.member)
(parameter_declaration name: (_) @local.definition.bare)
(type_alias name: (_) @local.definition.type @local.definition.bare)
(type_parameter_declaration name: (_) @local.definition.within)
(type_spec name: (_) @local.definition.type @local.definition.bare)
(var_spec name: (_) @local.definition.bare)
(variadic_parameter_declaration name: (_) @local.definition.bare)

; A method is declared apart from the type that it belongs to.
(method_declaration receiver: (_) @local.head.receiver)

; An import declares the last word of its path.
(import_spec !name path: (interpreted_string_literal
  (interpreted_string_literal_content) @local.name @local.reference.bare) @local.definition.import)

; What is declared where a value is given for the first time.
(short_var_declaration left: (expression_list (identifier) @local.name) @local.definition.bare)
(range_clause left: (expression_list (identifier) @local.name) @local.definition.bare ":=")
(receive_statement left: (expression_list (identifier) @local.name) @local.definition.bare ":=")
(type_switch_statement alias: (expression_list (identifier) @local.name) @local.definition.bare)

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
