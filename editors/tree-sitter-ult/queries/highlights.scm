; Colours. What several patterns match has the colour of the last one, as in Neovim, Helix and tree-sitter itself.

(identifier) @variable

; Words with a meaning of their own

[
  "type" "const" "function" "axiom" "var" "datatype" "unique" "extends" "complete" "uses" "revealed"
  "hideable" "returns" "where" "old" "forall" "exists" "lambda" "div" "mod" "is" "graph" "init"
  "location" "error" "local" "havoc" "let"
] @keyword
[
  "if" "then" "else"
] @keyword.conditional

; Types

(primitive_type) @type.builtin
(conversion type: _ @type.builtin)
(named_type name: (identifier) @type)
(type_definition name: (identifier) @type)
(datatype_declaration name: (identifier) @type)
(type_parameters (identifier) @type)
((identifier) @type.builtin
  (#match? @type.builtin "^(bv[0-9]+|float[0-9]+e[0-9]+|rmode|regex|string)$"))

; Names that are declared or called

(function_declaration name: (identifier) @function)
(call_expression function: (identifier) @function)
(constructor name: (identifier) @constructor)
(is_expression constructor: (identifier) @constructor)
(field_access field: (identifier) @property)
(field_update field: (identifier) @property)
(attribute name: (identifier) @attribute)
(attribute "{:" @attribute)

; Literals and comments

(boolean) @boolean
(integer) @number
(bit_vector) @number
(decimal) @number
(float) @number
(rounding_mode) @constant
(string) @string
(line_comment) @comment
(block_comment) @comment

; Symbols

[
  "<==>" "==>" "<==" "&&" "||" "!" "==" "!=" "<" "<=" ">" ">=" "<:" "++" "+" "-" "*" "**" "/" "%" ":=" "->" "="
] @operator
[ "(" ")" "[" "]" ] @punctuation.bracket
[ "," ";" ":" "::" ] @punctuation.delimiter
[ "{" "}" ] @punctuation.bracket
"'" @operator

; What only graphs have

(graph name: (identifier) @function)
(location name: (identifier) @label)
(edge source: (identifier) @label target: (identifier) @label)
(primed name: (identifier) @variable)
