; Where names are declared, used and scoped. Beside the usual captures: @local.name marks a node whose name is its parent's;
; @local.declaration a node that declares itself, where it is not the parent of the definition.

[
  (anchor_name)
  (alias_name)
] @local.reference

[
  (block_mapping)
  (block_mapping_pair)
  (block_node)
  (block_sequence)
  (block_sequence_item)
  (document)
  (stream)
] @local.scope
