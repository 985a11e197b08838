// The program-graph language of ult; it follows grammar/graph.lalrpop. After a change, see editors/tree-sitter/README.md.

const common = require('../tree-sitter-boogie/common');
const { comma1, symbol } = common;

module.exports = grammar({
  name: 'ult',
  word: ($) => $._word,
  externals: ($) => [$.block_comment],
  extras: ($) => [/[ \t\r\n\x0B\x0C\uFEFF]/, $.line_comment, $.block_comment],
  supertypes: ($) => [$._declaration, $._item, $._expression, $._type],

  rules: {
    source_file: ($) => repeat($._declaration),
    _declaration: ($) => choice($._rigid_declaration, $.graph),

    graph: ($) =>
      seq('graph', optional($._attributes), field('name', $._name), '{', repeat($._item), '}'),

    _item: ($) => choice($.variable_declaration, $.location, $.edge),
    variable_declaration: ($) => seq('var', comma1($.typed_names), ';'),
    location: ($) =>
      seq(
        field('kind', choice('init', 'location', 'error')),
        optional($._attributes),
        field('name', $._name),
        optional(field('description', $.string)),
        ';',
      ),

    edge: ($) =>
      seq(
        field('source', $._name),
        '->',
        field('target', $._name),
        optional($._attributes),
        choice(';', seq(':', field('formula', $._expression), ';'), field('body', $.edge_body)),
      ),
    // More about the transition than a formula can say.
    edge_body: ($) =>
      seq(
        '{',
        repeat(choice($.local_declaration, $.havoc, $.let_binding)),
        optional(seq(field('formula', $._expression), optional(';'))),
        '}',
      ),
    local_declaration: ($) => seq('local', $._names, ':', field('type', $._type), ';'),
    havoc: ($) => seq('havoc', $._names, ';'),
    let_binding: ($) =>
      seq('let', field('name', $._name), symbol(':=', '≔'), field('value', $._expression), ';'),

    // The value behind the edge
    primed: ($) => seq(field('name', $._name), "'"),

    ...common('', ($) => [$.primed]),

    // Unusual names are quoted.
    identifier: ($) => choice($._word, $._quoted),
    _word: (_) => {
      const start = '[[\\p{Alphabetic}~#$^_.?]--[λ]]';
      const rest = '[[\\p{Alphabetic}~#$^_.?0-9]--[λ]]';
      return new RustRegex(`\\\\${rest}*|${start}${rest}*`);
    },
    _quoted: (_) => token(seq('`', repeat1(choice(/[^`\n]/, '``')), '`')),
  },
});
