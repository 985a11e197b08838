; Where names are known

[
  (procedure_declaration)
  (implementation)
  (function_declaration)
  (quantifier)
  (let_expression)
  (code_expression)
] @local.scope

(typed_names name: (identifier) @local.definition)
(let_expression name: (identifier) @local.definition)
(identifier) @local.reference
