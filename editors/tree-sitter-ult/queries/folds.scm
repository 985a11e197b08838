; What can be folded away

[
  (graph)
  (edge_body)
  (function_declaration)
  (datatype_declaration)
  (uses_clause)
  (block_comment)
] @fold
