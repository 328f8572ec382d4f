/// A grammar of PDDL and PPDDL for highlighting, folding and selecting. It accepts all that Herbrand reads, and more: the language
/// server finds the faults.

/** A pattern of a word in any case. Of two patterns of the same text, the one that is written first in the grammar wins. */
const word = (text) => new RegExp([...text].map((c) => (/[a-z]/.test(c) ? `[${c}${c.toUpperCase()}]` : c)).join(""));

/** One of several words in any case. */
const words = (...list) => choice(...list.map(word));

module.exports = grammar({
  name: "pddl",
  extras: ($) => [/[\s\uFEFF]/, $.comment],
  word: ($) => $.name,
  rules: {
    source_file: ($) => repeat($._element),
    comment: () => /;[^\n\r]*/,

    _element: ($) => choice($._list, $.name, $.variable, $.number, $.keyword, $.type, $.operator),
    _list: ($) => choice($.definition, $.header, $.section, $.action, $.formula, $.expression, $.atom, $.list),

    definition: ($) => seq("(", alias(word("define"), "define"), repeat($._element), ")"),
    // `(domain d)` is a header only where a name and the end of the list follow.
    header: ($) => prec(1, seq("(", field("kind", alias(words("domain", "problem"), "header")), field("name", choice($.name, $.number)), ")")),
    section: ($) => seq("(", field("keyword", $.keyword), repeat($._element), ")"),
    action: ($) => seq(
      "(",
      field("keyword", alias(words(":action", ":durative-action", ":event", ":process"), $.keyword)),
      field("name", choice($.name, $.number)),
      repeat($._element),
      ")",
    ),
    formula: ($) => seq(
      "(",
      field("connective", alias(words(
        "and", "or", "not", "imply", "forall", "exists", "when", "oneof", "probabilistic", "either", "preference",
        "increase", "decrease", "assign", "scale-up", "scale-down", "minimize", "maximize",
      ), $.connective)),
      repeat($._element),
      ")",
    ),
    expression: ($) => seq("(", field("operator", choice($.operator, alias("-", $.operator))), repeat($._element), ")"),
    atom: ($) => seq("(", field("name", choice($.name, $.number)), repeat($._element), ")"),
    list: ($) => seq("(", optional(seq(choice($._list, $.variable), repeat($._element))), ")"),

    type: ($) => seq("-", field("type", choice($.name, $.number, $._list))),

    number: () => /[+\-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+\-]?[0-9]+)?(\/[0-9]+)?/,
    name: () => /[a-zA-Z0-9_#][a-zA-Z0-9_\-.@#$%&!'`^~|\[\]]*/,
    variable: () => /\?[a-zA-Z0-9_\-.@#$%&!'`^~|\[\]]*/,
    keyword: () => /:[a-zA-Z0-9_\-]*/,
    operator: () => choice("=", "<", "<=", ">", ">=", "+", "*", "/"),
  },
});
