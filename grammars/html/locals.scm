; Where names are declared, used and scoped. Beside the usual captures: @local.name marks a node whose name is its parent's;
; @local.declaration a node that declares itself, where it is not the parent of the definition.

[
  (tag_name)
  (attribute_name)
] @local.reference

[
  (document)
] @local.scope
