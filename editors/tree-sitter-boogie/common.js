// What both languages share: names, attributes, types, expressions, and the declarations of rigid symbols. It follows
// grammar/common.lalrpop, and allows a little more: an editor shows what is being written, and the verifier says what is
// wrong with it.
//
// The names of nodes are told by node-types.json of each language.

/** From the weakest operator to the strongest. */
const PREC = {
  iff: 1,
  implies: 2,
  logical: 3,
  relation: 4,
  concat: 5,
  sum: 6,
  product: 7,
  power: 8,
  is: 9,
  unary: 10,
  ascription: 11,
  postfix: 12,
};

const comma1 = (rule) => seq(rule, repeat(seq(',', rule)));
const comma = (rule) => optional(comma1(rule));

/** A symbol that can be written in several ways; in the tree it is the first one. */
const symbol = (first, ...others) => choice(first, ...others.map((other) => alias(other, first)));

/**
 * The shared rules.
 * @param marks characters of names that only one of the languages has
 * @param own the innermost parts of expressions that only one of the languages has
 */
module.exports = (marks, own) => ({
  // Tokens. Comments `/* ... */` nest, so they are read by src/scanner.c.

  line_comment: (_) => token(seq('//', /[^\r\n]*/)),

  identifier: (_) => {
    const start = `[[\\p{Alphabetic}~#$^_.?${marks}]--[λ]]`;
    const rest = `[[\\p{Alphabetic}~#$^_.?${marks}0-9]--[λ]]`;
    return new RustRegex(`\\\\${rest}*|${start}${rest}*`);
  },

  integer: (_) => /[0-9]+/,
  bit_vector: (_) => /[0-9]+bv[0-9]+/,
  decimal: (_) => /[0-9]+(\.[0-9]+)?e-?[0-9]+|[0-9]+\.[0-9]+/,
  float: (_) => /0x[0-9a-fA-F]+\.[0-9a-fA-F]+e-?[0-9]+f[0-9]+e[0-9]+|0(NaN|nan|\+oo|-oo)[0-9]+e[0-9]+/,
  // A backslash protects quotes and backslashes only.
  string: (_) => token(seq('"', repeat(choice(/[^"\\\n]/, /\\["\\]/, /\\[^"\\\n]/)), '"')),
  rounding_mode: (_) =>
    choice(
      'RNE',
      'RNA',
      'RTP',
      'RTN',
      'RTZ',
      'roundNearestTiesToEven',
      'roundNearestTiesToAway',
      'roundTowardPositive',
      'roundTowardNegative',
      'roundTowardZero',
    ),
  boolean: (_) => choice('true', 'false'),

  // Names. Some words are keywords in one dialect and names in another.

  _name: ($) => choice($.identifier, alias($._soft_word, $.identifier)),
  _soft_word: (_) =>
    choice(
      'extends',
      'complete',
      'uses',
      'par',
      'atomic',
      'hide',
      'reveal',
      'push',
      'pop',
      'pure',
      'hideable',
      'revealed',
      'is',
    ),
  _names: ($) => comma1(field('name', $._name)),
  type_parameters: ($) => seq('<', comma1($._name), '>'),

  // Attributes

  attribute: ($) => seq(alias(/\{[ \t\r\n]*:/, '{:'), field('name', $.identifier), comma($._expression), '}'),
  _attributes: ($) => repeat1($.attribute),

  // Types. A tight type contains no `<` outside of brackets: it stands where `<` behind it is the comparison.

  _type: ($) => choice($._type_atom, $.map_type, $.named_type),
  _tight_type: ($) =>
    choice($._type_atom, alias($.tight_map_type, $.map_type), alias($.tight_named_type, $.named_type)),
  _type_atom: ($) => choice($.primitive_type, $.parenthesized_type),
  primitive_type: (_) => choice('bool', 'int', 'real'),
  parenthesized_type: ($) => seq('(', $._type, ')'),
  map_type: ($) => seq(optional($.type_parameters), '[', comma($._type), ']', field('range', $._type)),
  tight_map_type: ($) => seq('[', comma($._type), ']', field('range', $._tight_type)),
  named_type: ($) =>
    prec.right(seq(field('name', $._name), repeat($._type_argument), optional($.map_type))),
  tight_named_type: ($) =>
    prec.right(
      seq(field('name', $._name), repeat($._type_argument), optional(alias($.tight_map_type, $.map_type))),
    ),
  _type_argument: ($) => choice($._type_atom, alias($.type_argument_name, $.named_type)),
  type_argument_name: ($) => field('name', $.identifier),

  // Typed names

  typed_names: ($) =>
    seq(optional($._attributes), $._names, ':', field('type', $._type), optional($.where_clause)),
  where_clause: ($) => seq('where', $._expression),

  // Expressions

  _expression: ($) =>
    choice(
      $.if_expression,
      $.binary_expression,
      $.is_expression,
      $.unary_expression,
      $.ascription,
      $.select,
      $.store,
      $.extract,
      $.field_access,
      $.field_update,
      $._literal,
      $.call_expression,
      $.old_expression,
      $.conversion,
      $.parenthesized_expression,
      $.quantifier,
      $.let_expression,
      $._name,
      ...own($),
    ),

  _literal: ($) =>
    choice($.boolean, $.integer, $.bit_vector, $.decimal, $.float, $.rounding_mode, $.string),

  if_expression: ($) =>
    prec.right(
      seq(
        'if',
        field('condition', $._expression),
        'then',
        field('consequence', $._expression),
        'else',
        field('alternative', $._expression),
      ),
    ),

  binary_expression: ($) => {
    const binary = (associativity, level, ...operators) =>
      associativity(
        level,
        seq(
          field('left', $._expression),
          field('operator', choice(...operators)),
          field('right', $._expression),
        ),
      );
    return choice(
      binary(prec.left, PREC.iff, symbol('<==>', '⇔', '≡')),
      binary(prec.right, PREC.implies, symbol('==>', '⇒'), symbol('<==', '⇐')),
      binary(prec.left, PREC.logical, symbol('&&', '∧'), symbol('||', '∨')),
      binary(
        prec.left,
        PREC.relation,
        '==',
        symbol('!=', '≠'),
        '<',
        symbol('<=', '≤'),
        '>',
        symbol('>=', '≥'),
        '<:',
      ),
      binary(prec.left, PREC.concat, '++'),
      binary(prec.left, PREC.sum, '+', '-'),
      binary(prec.left, PREC.product, '*', '/', 'div', 'mod', '%'),
      binary(prec.right, PREC.power, '**'),
    );
  },

  is_expression: ($) =>
    prec.left(PREC.is, seq(field('operand', $._expression), 'is', field('constructor', $._name))),
  unary_expression: ($) =>
    prec(
      PREC.unary,
      seq(field('operator', choice(symbol('!', '¬'), '-')), field('operand', $._expression)),
    ),
  ascription: ($) =>
    prec.left(PREC.ascription, seq(field('operand', $._expression), ':', field('type', $._tight_type))),

  select: ($) => prec(PREC.postfix, seq(field('map', $._expression), '[', comma($._expression), ']')),
  store: ($) =>
    prec(
      PREC.postfix,
      seq(
        field('map', $._expression),
        '[',
        comma($._expression),
        symbol(':=', '≔'),
        field('value', $._expression),
        ']',
      ),
    ),
  extract: ($) =>
    prec(
      PREC.postfix,
      seq(
        field('operand', $._expression),
        '[',
        field('high', $._expression),
        ':',
        field('low', $.integer),
        ']',
      ),
    ),
  field_access: ($) =>
    prec(PREC.postfix, seq(field('operand', $._expression), '->', field('field', $._name))),
  field_update: ($) =>
    prec(
      PREC.postfix,
      seq(
        field('operand', $._expression),
        '->',
        '(',
        field('field', $._name),
        symbol(':=', '≔'),
        field('value', $._expression),
        ')',
      ),
    ),

  call_expression: ($) => seq(field('function', $._name), '(', comma($._expression), ')'),
  old_expression: ($) => seq('old', '(', $._expression, ')'),
  conversion: ($) => seq(field('type', choice('int', 'real')), '(', $._expression, ')'),
  parenthesized_expression: ($) => seq('(', $._expression, ')'),
  quantifier: ($) =>
    seq(
      '(',
      field('binder', choice(symbol('forall', '∀'), symbol('exists', '∃'), symbol('lambda', 'λ'))),
      choice(seq($.type_parameters, comma($.typed_names)), comma1($.typed_names)),
      symbol('::', '•'),
      repeat(choice($.attribute, $.trigger)),
      field('body', $._expression),
      ')',
    ),
  trigger: ($) => seq('{', comma1($._expression), '}'),
  let_expression: ($) =>
    seq(
      '(',
      'var',
      comma1(seq(optional($._attributes), field('name', $._name))),
      symbol(':=', '≔'),
      comma1(field('value', $._expression)),
      ';',
      optional($._attributes),
      field('body', $._expression),
      ')',
    ),

  // Declarations of rigid symbols

  _rigid_declaration: ($) =>
    choice(
      $.type_declaration,
      $.datatype_declaration,
      $.constant_declaration,
      $.function_declaration,
      $.axiom,
    ),

  type_declaration: ($) => seq('type', optional($._attributes), comma1($.type_definition), ';'),
  type_definition: ($) =>
    seq(
      field('name', $._name),
      repeat(field('parameter', $._name)),
      optional(seq('=', field('type', $._type))),
    ),

  datatype_declaration: ($) =>
    seq(
      'datatype',
      optional($._attributes),
      field('name', $._name),
      optional($.type_parameters),
      '{',
      comma($.constructor),
      '}',
      optional(';'),
    ),
  constructor: ($) => seq(field('name', $._name), '(', comma($.typed_names), ')'),

  constant_declaration: ($) =>
    seq(
      'const',
      optional($._attributes),
      optional('unique'),
      $._names,
      ':',
      field('type', $._type),
      optional(seq(choice('extends', '<:'), comma(seq(optional('unique'), field('parent', $.identifier))))),
      optional('complete'),
      choice(';', $.uses_clause),
    ),
  uses_clause: ($) => seq('uses', '{', repeat($.axiom), '}'),

  function_declaration: ($) =>
    seq(
      optional('revealed'),
      'function',
      optional($._attributes),
      field('name', $._name),
      optional($.type_parameters),
      '(',
      comma($.parameter),
      ')',
      choice(seq('returns', '(', field('result', $.parameter), ')'), seq(':', field('type', $._type))),
      choice(
        ';',
        seq('{', field('body', $._expression), '}', optional($.uses_clause)),
        $.uses_clause,
      ),
    ),
  // `T` or `x: T`: what stands before the colon is read as a type, because one cannot know before.
  parameter: ($) =>
    seq(
      optional($._attributes),
      choice(field('type', $._type), seq(field('name', $._type), ':', field('type', $._type))),
    ),

  axiom: ($) => seq(optional('hideable'), 'axiom', optional($._attributes), $._expression, ';'),
});

module.exports.comma = comma;
module.exports.comma1 = comma1;
module.exports.symbol = symbol;
