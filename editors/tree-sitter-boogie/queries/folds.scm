; What can be folded away

[
  (block)
  (function_declaration)
  (datatype_declaration)
  (uses_clause)
  (code_expression)
  (block_comment)
] @fold
