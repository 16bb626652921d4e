; Where names are declared, used and scoped. Beside the usual captures: @local.name marks a node whose name is its parent's;
; @local.declaration a node that declares itself, where it is not the parent of the definition.

[
  (identifier)
] @local.reference

(alter_column name: (_) @local.definition)
(column name: (_) @local.definition)
(column_definition name: (_) @local.definition)
(constraint name: (_) @local.definition)
(create_database name: (_) @local.definition)
(create_query name: (_) @local.definition)
(create_type name: (_) @local.definition)
(drop_column name: (_) @local.definition)
(drop_index name: (_) @local.definition)
(insert name: (_) @local.definition)
(set_configuration parameter: (_) @local.definition)
(statement name: (_) @local.definition)
(table_option name: (_) @local.definition)
(when_clause name: (_) @local.definition)

; Bare names in lists of parameters.
(storage_parameters (_) @local.definition @local.declaration)

; What stands between a declaration and its name.
(array name: (_) @local.name)
(cast parameter: (_) @local.name)
(field name: (_) @local.name)
(subquery name: (_) @local.name)

[
  (block)
  (function_body)
  (function_declaration)
  (program)
] @local.scope
