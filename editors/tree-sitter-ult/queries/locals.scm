; Where names are known

[
  (graph)
  (edge)
  (function_declaration)
  (quantifier)
  (let_expression)
] @local.scope

(typed_names name: (identifier) @local.definition)
(local_declaration name: (identifier) @local.definition)
(let_binding name: (identifier) @local.definition)
(let_expression name: (identifier) @local.definition)
(location name: (identifier) @local.definition)
(identifier) @local.reference
