; Where names are declared, used and scoped. Beside the usual captures: @local.name marks a node whose name is its parent's;
; @local.declaration a node that declares itself, where it is not the parent of the definition.

[
  (identifier)
  (type_identifier)
] @local.reference

(annotation name: (_) @local.definition)
(annotation_type_declaration name: (_) @local.definition)
(annotation_type_element_declaration name: (_) @local.definition)
(catch_formal_parameter name: (_) @local.definition)
(class_declaration name: (_) @local.definition)
(compact_constructor_declaration name: (_) @local.definition)
(constant_declaration declarator: (_) @local.definition)
(constructor_declaration name: (_) @local.definition)
(enhanced_for_statement name: (_) @local.definition)
(enum_constant name: (_) @local.definition)
(enum_declaration name: (_) @local.definition)
(field_declaration declarator: (_) @local.definition)
(import_declaration (scoped_identifier) @local.definition.import . ";")
(interface_declaration name: (_) @local.definition)
(local_variable_declaration declarator: (_) @local.definition)
(marker_annotation name: (_) @local.definition)
(method_declaration name: (_) @local.definition)
(module_declaration name: (_) @local.definition)
(record_declaration name: (_) @local.definition)
(resource name: (_) @local.definition)
(type_pattern (_) @local.definition)

; Bare names in lists of parameters.
(formal_parameters (_) @local.definition @local.declaration)
(inferred_parameters (_) @local.definition @local.declaration)

; What stands between a declaration and its name.
(formal_parameter name: (_) @local.name)
(record_pattern (_) @local.name)
(scoped_identifier name: (_) @local.name)
(variable_declarator name: (_) @local.name)

[
  (annotation_type_body)
  (block)
  (catch_clause)
  (class_body)
  (constructor_body)
  (enhanced_for_statement)
  (enum_body)
  (enum_body_declarations)
  (exports_module_directive)
  (for_statement)
  (interface_body)
  (lambda_expression)
  (method_declaration)
  (method_invocation)
  (method_reference)
  (module_body)
  (module_declaration)
  (opens_module_directive)
  (program)
  (provides_module_directive)
  (record_pattern_body)
  (requires_module_directive)
  (switch_block)
  (switch_block_statement_group)
  (uses_module_directive)
] @local.scope
