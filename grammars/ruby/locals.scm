; Where names are declared, used and scoped. Beside the usual captures: @local.name marks a node whose name is its parent's;
; @local.declaration a node that declares itself, where it is not the parent of the definition.

[
  (identifier)
  (constant)
  (instance_variable)
  (class_variable)
  (global_variable)
  (hash_key_symbol)
  (simple_symbol)
] @local.reference

(alias name: (_) @local.definition)
(class name: (_) @local.definition)
(for pattern: (_) @local.definition)
(in_clause pattern: (_) @local.definition)
(match_pattern pattern: (_) @local.definition)
(method name: (_) @local.definition)
(module name: (_) @local.definition)
(singleton_method name: (_) @local.definition)
(test_pattern pattern: (_) @local.definition)

; What a value declares that is given to it.
(assignment left: (identifier) @local.definition.assigned)
(assignment left: (constant) @local.definition.assigned)
(exception_variable (identifier) @local.definition.assigned)
(left_assignment_list (identifier) @local.name)
(assignment left: (left_assignment_list) @local.definition.assigned)

; Bare names in lists of parameters.
(block_parameters (_) @local.definition @local.declaration)
(lambda_parameters (_) @local.definition @local.declaration)
(method_parameters (_) @local.definition @local.declaration)

; What stands between a declaration and its name.
(array_pattern [(array_pattern) (as_pattern) (find_pattern) (hash_pattern) (identifier) (parenthesized_pattern) (simple_symbol) (splat_parameter) (variable_reference_pattern)] @local.name)
(as_pattern name: (_) @local.name)
(block_parameter name: (_) @local.name)
(find_pattern [(array_pattern) (as_pattern) (find_pattern) (hash_pattern) (identifier) (parenthesized_pattern) (simple_symbol) (splat_parameter) (variable_reference_pattern)] @local.name)
(hash_pattern (hash_splat_parameter) @local.name)
(hash_splat_parameter name: (_) @local.name)
(keyword_parameter name: (_) @local.name)
(optional_parameter name: (_) @local.name)
(parenthesized_pattern (_) @local.name)
(scope_resolution name: (_) @local.name)
(setter name: (_) @local.name)
(splat_parameter name: (_) @local.name)
(variable_reference_pattern name: (_) @local.name)

[
  (begin_block)
  (block)
  (block_argument)
  (block_body)
  (body_statement)
  (do_block)
  (end_block)
  (heredoc_body)
  (lambda)
  (method)
  (module)
  (program)
  (singleton_method)
] @local.scope
