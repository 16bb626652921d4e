; Where names are declared, used and scoped. Beside the usual captures: @local.name marks a node whose name is its parent's;
; @local.declaration a node that declares itself, where it is not the parent of the definition.

[
  (identifier)
  (type_identifier)
  (shorthand_property_identifier)
  (shorthand_property_identifier_pattern)
  (statement_identifier)
] @local.reference.bare

[
  (property_identifier)
  (shorthand_property_identifier)
  (private_property_identifier)
] @local.reference.member

(abstract_class_declaration name: (_) @local.definition)
(abstract_method_signature name: (_) @local.definition.member)
(arrow_function parameter: (_) @local.definition.bare @local.declaration)
(catch_clause parameter: (_) @local.definition.bare @local.declaration)
(class name: (_) @local.definition)
(class_declaration name: (_) @local.definition)
(enum_assignment name: (_) @local.definition.member)
(enum_body name: (_) @local.definition.member)
(enum_declaration name: (_) @local.definition)
(function_declaration name: (_) @local.definition)
(function_expression name: (_) @local.definition)
(function_signature name: (_) @local.definition)
(generator_function name: (_) @local.definition)
(generator_function_declaration name: (_) @local.definition)
(index_signature name: (_) @local.definition)
(interface_declaration name: (_) @local.definition)
(internal_module name: (_) @local.definition)
(labeled_statement label: (_) @local.definition)
(mapped_type_clause name: (_) @local.definition)
(method_definition name: (_) @local.definition.member)
(method_signature name: (_) @local.definition.member)
(module name: (_) @local.definition)
(property_signature name: (_) @local.definition.member)
(public_field_definition name: (_) @local.definition.member)
(type_alias_declaration name: (_) @local.definition)
(type_predicate name: (_) @local.definition)
(variable_declarator name: (_) @local.definition.bare)

; What is imported, and what a value declares that is given to it.
(assignment_expression left: (identifier) @local.definition.global)
(for_in_statement !kind left: (identifier) @local.definition.global)
(for_in_statement kind: _ left: (_) @local.definition @local.declaration)
(import_clause (identifier) @local.definition.import)
(import_specifier !alias name: (_) @local.definition.import)
(import_specifier alias: (_) @local.definition.import)
(namespace_import (identifier) @local.definition.import)

; Bare names in lists of parameters; one with a modifier declares a member, too.
(formal_parameters (_) @local.definition.bare @local.declaration)
(formal_parameters (required_parameter [(accessibility_modifier) "readonly"]) @local.definition.member)
(type_parameters (_) @local.definition.within @local.declaration)

; What stands between a declaration and its name.
(array_pattern (_) @local.name)
(nested_type_identifier name: (_) @local.name)
(object_pattern (_) @local.name)
(optional_parameter name: (_) @local.name)
(optional_parameter pattern: (_) @local.name)
(required_parameter name: (_) @local.name)
(required_parameter pattern: (_) @local.name)
(rest_pattern (_) @local.name)
(type_parameter name: (_) @local.name)

[
  (abstract_method_signature)
  (arrow_function)
  (catch_clause)
  (class_body)
  (class_static_block)
  (enum_body)
  (for_in_statement)
  (for_statement)
  (function_declaration)
  (function_expression)
  (generator_function_declaration)
  (interface_body)
  (internal_module)
  (method_definition)
  (method_signature)
  (module)
  (program)
  (statement_block)
  (switch_body)
] @local.scope
