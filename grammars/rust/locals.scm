; Where names are declared, used and scoped. Beside the usual captures: @local.name marks a node whose name is its parent's;
; @local.declaration a node that declares itself, where it is not the parent of the definition.

[
  (identifier)
  (type_identifier)
  (shorthand_field_identifier)
] @local.reference.bare

[
  (field_identifier)
  (shorthand_field_identifier)
] @local.reference.member

; What stands behind other words may be a member of them.
(scoped_identifier name: (_) @local.reference.member)
(scoped_type_identifier name: (_) @local.reference.member)
(scoped_use_list (use_list (_) @local.reference.member))
(shorthand_field_initializer (identifier) @local.reference.member)
(token_tree (identifier) @local.reference.member)
(token_tree_pattern (identifier) @local.reference.member)
(type_binding name: (_) @local.reference.member)

; What is made known in another module.
((use_as_clause alias: (_) @local.definition.import @word) (#not-eq? @word "_"))
(use_declaration argument: (identifier) @local.definition.import)
(use_declaration argument: (scoped_identifier name: (_) @local.definition.import))
(use_list (identifier) @local.definition.import)
(use_list (scoped_identifier name: (_) @local.definition.import))

(associated_type name: (_) @local.definition)
(const_item name: (_) @local.definition)
(enum_item name: (_) @local.definition.type)
(enum_variant name: (_) @local.definition)
(extern_crate_declaration name: (_) @local.definition)
(field_declaration name: (_) @local.definition.member)
(function_item name: (_) @local.definition)
(function_signature_item name: (_) @local.definition)
(let_condition pattern: (_) @local.definition.bare)
(let_declaration pattern: (_) @local.definition.bare)
(macro_definition name: (_) @local.definition)
(match_arm pattern: (_) @local.definition.bare)
(mod_item name: (_) @local.definition)
(static_item name: (_) @local.definition)
(struct_item name: (_) @local.definition.type)
(trait_item name: (_) @local.definition.type)
(type_binding name: (_) @local.definition)
(type_item name: (_) @local.definition.type)
(union_item name: (_) @local.definition.type)

; Members are never named bare.
(impl_item body: (declaration_list [
  (associated_type name: (_) @local.definition.member)
  (const_item name: (_) @local.definition.member)
  (function_item name: (_) @local.definition.member)
  (function_signature_item name: (_) @local.definition.member)
  (type_item name: (_) @local.definition.member)
]))
; A member is named without its trait, and without its type.
(impl_item !trait body: (declaration_list [
  (const_item name: (_) @local.definition.through)
  (function_item name: (_) @local.definition.through)
  (type_item name: (_) @local.definition.through)
]))
(trait_item body: (declaration_list [
  (associated_type name: (_) @local.definition.through)
  (const_item name: (_) @local.definition.through)
  (function_item name: (_) @local.definition.through)
  (function_signature_item name: (_) @local.definition.through)
  (type_item name: (_) @local.definition.through)
]))

; What must be known for an implementation to be meant.
(impl_item trait: (_) @local.head)
(impl_item type: (_) @local.head.receiver)

; Bare names in lists of parameters.
(closure_parameters (_) @local.definition.bare @local.declaration)
(parameters (_) @local.definition.bare @local.declaration)
(type_parameters (_) @local.definition.within @local.declaration)

; What stands between a declaration and its name.
(captured_pattern (_) @local.name)
(const_parameter name: (_) @local.name)
(field_pattern name: (_) @local.name)
(field_pattern pattern: (_) @local.name)
(generic_pattern (_) @local.name)
(match_pattern . (_) @local.name)
(mut_pattern (_) @local.name)
(or_pattern (_) @local.name)
(parameter pattern: (_) @local.name)
(ref_pattern (_) @local.name)
(reference_pattern (_) @local.name)
(slice_pattern (_) @local.name)
(struct_pattern (field_pattern) @local.name)
(token_repetition_pattern (_) @local.name)
(token_tree_pattern (_) @local.name)
(tuple_pattern (_) @local.name)
(tuple_struct_pattern type: (_) (_) @local.name)
(type_parameter name: (_) @local.name)
(variadic_parameter pattern: (_) @local.name)

[
  (async_block)
  (block)
  (closure_expression)
  (const_block)
  (function_item)
  (function_signature_item)
  (gen_block)
  (match_block)
  (source_file)
  (try_block)
  (unsafe_block)
] @local.scope
