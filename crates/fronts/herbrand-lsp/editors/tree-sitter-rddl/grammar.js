/// A grammar of RDDL for highlighting, folding and selecting. It accepts all that Herbrand reads, and more: the language server finds
/// the faults.

/** The levels of binary operators, the loosest first. */
const LEVELS = [["<=>"], ["=>"], ["|", "||"], ["^", "&", "&&"], ["==", "~=", "!=", "<", "<=", ">", ">="], ["+", "-"], ["*", "/"]];
const UNARY = LEVELS.length + 1;

const commas = (rule) => seq(rule, repeat(seq(",", rule)), optional(","));

module.exports = grammar({
  name: "rddl",
  extras: ($) => [/[\s\uFEFF]/, $.comment],
  word: ($) => $.name,
  rules: {
    source_file: ($) => repeat($.block),
    comment: () => /\/\/[^\n\r]*/,

    block: ($) => seq(
      field("kind", choice("domain", "instance", "non-fluents", "policy")),
      field("name", $.name),
      "{",
      repeat(choice($.section, $.setting)),
      "}",
    ),
    _key: ($) => choice($.name, alias(choice("domain", "instance", "non-fluents"), $.name)),
    setting: ($) => seq(field("key", $._key), "=", $._expression, ";"),
    section: ($) => seq(
      field("keyword", $._key),
      "{",
      choice(repeat(choice($.declaration, $.definition, seq($._expression, ";"))), commas($._expression)),
      "}",
      optional(";"),
    ),
    // `t : object;`, `f(t) : { state-fluent, bool, default = false };`
    declaration: ($) => seq(field("name", choice($.name, $.call)), ":", field("value", choice($.name, $.list)), ";"),
    // `f'(?x) = …;`
    definition: ($) => prec(1, seq(field("name", choice($.name, $.call)), "=", $._expression, ";")),
    list: ($) => seq("{", optional(commas(choice($.default, $._expression))), "}"),
    default: ($) => seq(field("key", $.name), "=", $._expression),

    _expression: ($) => choice(
      $.name, $.variable, $.value, $.wildcard, $.number, $.call, $.group, $.unary, $.binary, $.quantified, $.conditional,
      $.switch, $.list,
    ),
    call: ($) => prec(UNARY + 1, seq(
      field("name", $.name),
      // `MultivariateNormal[?i](…)` has two lists of arguments.
      repeat1(choice(seq("(", optional(commas($._argument)), ")"), seq("[", optional(commas($._argument)), "]"))),
    )),
    _argument: ($) => choice($._expression, $.case, $.default),
    case: ($) => seq($._expression, ":", $._expression),
    group: ($) => choice(seq("(", $._expression, ")"), seq("[", $._expression, "]")),
    unary: ($) => prec(UNARY, seq(field("operator", choice("~", "!", "-", "+")), $._expression)),
    binary: ($) => choice(...LEVELS.map((operators, level) => prec.left(level + 1, seq(
      field("left", $._expression),
      field("operator", operators.length > 1 ? choice(...operators) : operators[0]),
      field("right", $._expression),
    )))),
    quantified: ($) => prec.right(0, seq(
      field("quantifier", $.quantifier),
      "{",
      commas($.typed),
      "}",
      $._expression,
    )),
    typed: ($) => seq($.variable, ":", field("type", $.name)),
    quantifier: () => /[A-Za-z]+_/,
    conditional: ($) => prec.right(0, seq("if", $._expression, "then", $._expression, optional(seq("else", $._expression)))),
    switch: ($) => seq("switch", "(", $._expression, ")", "{", commas(seq(choice(seq("case", $._expression), "default"), ":", $._expression)), "}"),

    name: () => /[A-Za-z]([A-Za-z0-9_\-]*[A-Za-z0-9])?'?/,
    variable: () => /\?[A-Za-z0-9_\-]*[A-Za-z0-9]/,
    wildcard: () => "_",
    value: () => /@[A-Za-z0-9_\-]*[A-Za-z0-9]/,
    number: () => /[0-9]*\.?[0-9]+([eE][+\-]?[0-9]+)?/,
  },
});
