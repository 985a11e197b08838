// The Boogie language as ult reads it; it follows grammar/boogie.lalrpop. After a change, see editors/tree-sitter/README.md.

const common = require('./common');
const { comma, comma1, symbol } = common;

module.exports = grammar({
  name: 'boogie',
  word: ($) => $.identifier,
  externals: ($) => [$.block_comment],
  extras: ($) => [/[ \t\r\n\x0B\x0C\uFEFF]/, $.line_comment, $.block_comment],
  supertypes: ($) => [$._declaration, $._statement, $._expression, $._type],

  rules: {
    source_file: ($) => repeat($._declaration),

    _declaration: ($) =>
      choice(
        $._rigid_declaration,
        $.variable_declaration,
        $.procedure_declaration,
        $.implementation,
      ),

    variable_declaration: ($) =>
      seq('var', optional($._attributes), comma1(alias($.plain_typed_names, $.typed_names)), ';'),
    plain_typed_names: ($) => seq($._names, ':', field('type', $._type), optional($.where_clause)),

    // Procedures

    procedure_declaration: ($) =>
      seq(
        optional('pure'),
        'procedure',
        $._signature,
        choice(seq(';', repeat($._specification)), seq(repeat($._specification), field('body', $.block))),
      ),
    implementation: ($) => seq('implementation', $._signature, field('body', $.block)),

    _signature: ($) =>
      seq(
        optional($._attributes),
        field('name', $._name),
        optional($.type_parameters),
        field('parameters', $.parameters),
        optional($.results),
      ),
    parameters: ($) => seq('(', comma($.typed_names), ')'),
    results: ($) => seq('returns', '(', comma($.typed_names), ')'),

    _specification: ($) => choice($.requires_clause, $.ensures_clause, $.modifies_clause, $.measure_clause),
    requires_clause: ($) =>
      seq(optional('free'), 'requires', optional($._attributes), $._expression, ';'),
    ensures_clause: ($) =>
      seq(optional('free'), 'ensures', optional($._attributes), $._expression, ';'),
    measure_clause: ($) => seq('measure', optional($._attributes), comma1($._expression), ';'),
    modifies_clause: ($) => seq(optional('free'), 'modifies', optional($._attributes), optional($._names), ';'),

    // Statements

    block: ($) => seq('{', repeat(choice($.variable_declaration, $._statement)), '}'),

    _statement: ($) =>
      choice(
        $.assert_statement,
        $.assume_statement,
        $.havoc_statement,
        $.goto_statement,
        $.return_statement,
        $.break_statement,
        $.if_statement,
        $.while_statement,
        $.call_statement,
        $.yield_statement,
        $.label,
        $.assignment,
        $.unpacking,
        $.parallel_call,
        $.atomic_block,
        $.visibility,
        $.scope,
      ),

    assert_statement: ($) => seq('assert', optional($._attributes), $._expression, ';'),
    assume_statement: ($) => seq('assume', optional($._attributes), $._expression, ';'),
    havoc_statement: ($) => seq('havoc', optional($._attributes), $._names, ';'),
    goto_statement: ($) =>
      seq('goto', optional($._attributes), comma1(field('label', $._name)), ';'),
    return_statement: ($) => seq('return', optional($._attributes), optional($._expression), ';'),
    break_statement: ($) =>
      seq('break', optional($._attributes), optional(field('label', $._name)), ';'),

    if_statement: ($) =>
      seq(
        'if',
        optional($._attributes),
        field('condition', $.guard),
        field('consequence', $.block),
        optional(seq('else', field('alternative', choice($.if_statement, $.block)))),
      ),
    while_statement: ($) =>
      seq(
        'while',
        optional($._attributes),
        field('condition', $.guard),
        repeat(choice($.invariant, $.measure_clause)),
        field('body', $.block),
      ),
    guard: ($) => seq('(', choice('*', $._expression), ')'),
    invariant: ($) =>
      seq(optional('free'), 'invariant', optional($._attributes), $._expression, ';'),

    call_statement: ($) =>
      choice(
        seq(optional('free'), 'call', $._calls, ';'),
        seq('call', 'forall', field('procedure', $._name), '(', comma(choice('*', $._expression)), ')', ';'),
        seq('async', optional('free'), 'call', $.call, ';'),
      ),
    parallel_call: ($) => seq('par', $._calls, ';'),
    _calls: ($) => seq($.call, repeat(seq('|', $.call))),
    call: ($) =>
      seq(
        optional($._attributes),
        optional(seq(comma1(field('target', $._name)), symbol(':=', '≔'))),
        field('procedure', $._name),
        '(',
        comma($._expression),
        ')',
      ),

    yield_statement: (_) => seq('yield', ';'),
    atomic_block: ($) => seq('atomic', $.block),
    visibility: ($) => seq(choice('hide', 'reveal'), choice($._name, '*'), ';'),
    scope: (_) => seq(choice('push', 'pop'), ';'),

    label: ($) => seq(field('name', $._name), ':'),
    assignment: ($) =>
      seq(
        comma1(field('target', $._target)),
        symbol(':=', '≔'),
        optional($._attributes),
        comma1(field('value', $._expression)),
        ';',
      ),
    _target: ($) => choice($._name, alias($.target_select, $.select), alias($.target_field, $.field_access)),
    target_select: ($) => seq(field('map', $._target), '[', comma($._expression), ']'),
    target_field: ($) => seq(field('operand', $._target), '->', field('field', $._name)),
    unpacking: ($) =>
      seq(
        field('constructor', $._name),
        '(',
        comma(field('target', $._name)),
        ')',
        symbol(':=', '≔'),
        optional($._attributes),
        field('value', $._expression),
        ';',
      ),

    // Statements inside of an expression
    code_expression: ($) => seq('|{', repeat(choice($.variable_declaration, $._statement)), '}|'),

    ...common("'`", ($) => [$.code_expression]),
  },
});
