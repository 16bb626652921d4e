; Where names are declared, used and scoped. Beside the usual captures: @local.name marks a node whose name is its parent's;
; @local.declaration a node that declares itself, where it is not the parent of the definition.

[
  (identifier)
  (type_identifier)
  (field_identifier)
  (statement_identifier)
  (primitive_type)
] @local.reference

(declaration declarator: (_) @local.definition)
(enum_specifier name: (_) @local.definition body: (_))
(enumerator name: (_) @local.definition)
(field_declaration declarator: (_) @local.definition)
(function_definition declarator: (_) @local.definition)
(labeled_statement label: (_) @local.definition)
(parameter_declaration declarator: (_) @local.definition)
(preproc_def name: (_) @local.definition)
(preproc_function_def name: (_) @local.definition)
(struct_specifier name: (_) @local.definition body: (_))
(type_definition declarator: (_) @local.definition)
(union_specifier name: (_) @local.definition body: (_))

; What stands between a declaration and its name.
(array_declarator declarator: (_) @local.name)
(attributed_declarator [(array_declarator) (attributed_declarator) (function_declarator) (parenthesized_declarator) (pointer_declarator)] @local.name)
(function_declarator declarator: (_) @local.name)
(init_declarator declarator: (_) @local.name)
(parenthesized_declarator [(array_declarator) (attributed_declarator) (function_declarator) (parenthesized_declarator) (pointer_declarator)] @local.name)
(pointer_declarator declarator: (_) @local.name)

[
  (compound_statement)
  (for_statement)
  (function_definition)
  (translation_unit)
] @local.scope
