; Colours. What several patterns match has the colour of the last one, as in Neovim, Helix and tree-sitter itself.

(identifier) @variable

; Words with a meaning of their own

[
  "type" "const" "function" "axiom" "var" "datatype" "unique" "extends" "complete" "uses" "revealed"
  "hideable" "returns" "where" "old" "forall" "exists" "lambda" "div" "mod" "is" "procedure"
  "implementation" "pure" "free" "requires" "ensures" "modifies" "measure" "invariant" "assert" "assume"
  "havoc" "call" "async" "par" "goto" "break" "yield" "atomic" "hide" "reveal" "push" "pop"
] @keyword
[
  "if" "then" "else"
] @keyword.conditional
"while" @keyword.repeat
"return" @keyword.return

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
[ "{" "}" "|{" "}|" ] @punctuation.bracket
"|" @punctuation.delimiter

; What only programs have

(procedure_declaration name: (identifier) @function)
(implementation name: (identifier) @function)
(call procedure: (identifier) @function)
(call_statement procedure: (identifier) @function)
(unpacking constructor: (identifier) @constructor)
(label name: (identifier) @label)
(goto_statement label: (identifier) @label)
(break_statement label: (identifier) @label)
(parameters (typed_names name: (identifier) @variable.parameter))
(results (typed_names name: (identifier) @variable.parameter))
