; Where names are declared, used and scoped. Beside the usual captures: @local.name marks a node whose name is its parent's;
; @local.declaration a node that declares itself, where it is not the parent of the definition.

[
  (simple_identifier)
  (type_identifier)
] @local.reference

(associatedtype_declaration name: (_) @local.definition)
(capture_list_item name: (_) @local.definition)
(class_declaration name: (_) @local.definition)
(constructor_suffix name: (_) @local.definition)
(enum_entry name: (_) @local.definition)
(function_declaration name: (_) @local.definition)
(for_statement item: (pattern) @local.definition)
(lambda_parameter name: (_) @local.definition)
(parameter name: (_) @local.definition)
(property_declaration name: (pattern) @local.definition)
(protocol_declaration name: (_) @local.definition)
(protocol_function_declaration name: (_) @local.definition)
(tuple_type_item name: (_) @local.definition)
(typealias_declaration name: (_) @local.definition)

; Bare names in lists of parameters.
(enum_type_parameters (_) @local.definition @local.declaration)

; What stands between a declaration and its name.
(pattern bound_identifier: (_) @local.name)
(tuple_expression name: (_) @local.name)

[
  (catch_block)
  (class_body)
  (deprecated_operator_declaration_body)
  (enum_class_body)
  (for_statement)
  (function_body)
  (function_declaration)
  (lambda_literal)
  (protocol_body)
  (protocol_function_declaration)
  (source_file)
  (willset_didset_block)
] @local.scope
