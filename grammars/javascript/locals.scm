; Where names are declared, used and scoped. Beside the usual captures: @local.name marks a node whose name is its parent's;
; @local.declaration a node that declares itself, where it is not the parent of the definition.

[
  (identifier)
  (shorthand_property_identifier)
  (shorthand_property_identifier_pattern)
  (statement_identifier)
] @local.reference.bare

; What stands behind a dot, or before a colon, is a member of something.
[
  (property_identifier)
  (shorthand_property_identifier)
  (shorthand_property_identifier_pattern)
  (private_property_identifier)
] @local.reference.member

(arrow_function parameter: (_) @local.definition.bare @local.declaration)
(catch_clause parameter: (_) @local.definition.bare @local.declaration)
(class name: (_) @local.definition.bare)
(class_declaration name: (_) @local.definition.bare)
(function_declaration name: (_) @local.definition.bare)
(function_expression name: (_) @local.definition.bare)
(generator_function name: (_) @local.definition.bare)
(generator_function_declaration name: (_) @local.definition.bare)
(labeled_statement label: (_) @local.definition)
(method_definition name: (_) @local.definition.member)
(variable_declarator name: (_) @local.definition.bare)

; What is imported, and what a value declares that is given to it.
(assignment_expression left: (identifier) @local.definition.global)
(assignment_expression left: (member_expression) @local.definition.given)
(for_in_statement !kind left: (identifier) @local.definition.global)
(for_in_statement kind: _ left: (_) @local.definition.bare @local.declaration)
(import_clause (identifier) @local.definition.import)
(import_specifier !alias name: (_) @local.definition.import)
(import_specifier alias: (_) @local.definition.import)
(namespace_import (identifier) @local.definition.import)

; Bare names in lists of parameters.
(formal_parameters (_) @local.definition.bare @local.declaration)

; What stands between a declaration and its name.
(array_pattern (_) @local.name)
(member_expression property: (_) @local.name)
(object_pattern (_) @local.name)
(rest_pattern (_) @local.name)

[
  (arrow_function)
  (catch_clause)
  (class_body)
  (class_static_block)
  (for_in_statement)
  (for_statement)
  (function_declaration)
  (function_expression)
  (generator_function_declaration)
  (method_definition)
  (program)
  (statement_block)
  (switch_body)
] @local.scope
