; Where names are declared, used and scoped. Beside the usual captures: @local.name marks a node whose name is its parent's;
; @local.declaration a node that declares itself, where it is not the parent of the definition.

[
  (identifier)
  (keyframes_name)
  (class_name)
  (id_name)
  (tag_name)
  (plain_value)
] @local.reference

[
  (block)
  (keyframe_block)
  (keyframe_block_list)
  (stylesheet)
] @local.scope
