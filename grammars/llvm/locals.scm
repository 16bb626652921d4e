; Where names are declared, used and scoped. Beside the usual captures: @local.name marks a node whose name is its parent's;
; @local.declaration a node that declares itself, where it is not the parent of the definition.

[
  (local_var)
  (global_var)
  (label)
  (attr_ref)
  (metadata_ref)
  (metadata_name)
  (comdat_ref)
] @local.reference

(function_header name: (_) @local.definition)
(global_metadata . (metadata_ref) @local.definition)
(global_global . (global_var) @local.definition)
(global_type . (local_var) @local.definition)
(unnamed_attr_grp (attr_ref) @local.definition)

[
  (array_vector_body)
  (blockaddress)
  (function_body)
  (module)
  (module_asm)
  (source_file_name)
  (struct_body)
] @local.scope
