; Where names are declared, used and scoped. Beside the usual captures: @local.name marks a node whose name is its parent's;
; @local.declaration a node that declares itself, where it is not the parent of the definition.

[
  (identifier)
] @local.reference

(class_declaration name: (_) @local.definition)
(companion_object name: (_) @local.definition)
(function_declaration name: (_) @local.definition)
(for_statement [(multi_variable_declaration) (variable_declaration)] @local.definition)
(import (qualified_identifier) @local.definition.import)
(object_declaration name: (_) @local.definition)
(property_declaration [(multi_variable_declaration) (variable_declaration)] @local.definition)
(type_alias type: (_) @local.definition)

; Bare names in lists of parameters.
(class_parameters (_) @local.definition @local.declaration)
(function_value_parameters (_) @local.definition @local.declaration)
(lambda_parameters (_) @local.definition @local.declaration)
(type_parameters (_) @local.definition.within @local.declaration)

; What stands between a declaration and its name.
(class_parameter (identifier) @local.name)
(multi_variable_declaration (variable_declaration) @local.name)
(parameter (identifier) @local.name)
(qualified_identifier (identifier) @local.name .)
(type_parameter (identifier) @local.name)
(variable_declaration (identifier) @local.name)
(return_expression label: (_) @local.name)

[
  (annotated_lambda)
  (block)
  (catch_block)
  (class_body)
  (enum_class_body)
  (finally_block)
  (for_statement)
  (function_body)
  (function_declaration)
  (lambda_literal)
  (source_file)
] @local.scope
