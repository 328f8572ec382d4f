// Colours of PDDL, RDDL and settings, by words alone, so that they are there before the engine has read the text.
import { HighlightStyle, StreamLanguage, syntaxHighlighting, tags } from "./codemirror.js";

/** For each language, the patterns of its tokens with their kinds, and the sign of its comments. */
const LANGUAGES = {
  pddl: {
    comment: ";",
    patterns: [
      [/;.*/, "comment"], [/:[\w-]+/, "keyword"], [/\?[\w-]*/, "variableName"], [/[+-]?\d+(\.\d+)?(?![\w-])/, "number"],
      [/(?:define|domain|problem|and|or|not|when|forall|exists|imply|oneof|probabilistic|increase|decrease|assign)(?![\w-])/i, "keyword"],
    ],
  },
  rddl: {
    comment: "//",
    patterns: [
      [/\/\/.*/, "comment"], [/\?[\w-]*/, "variableName"], [/@[\w-]*/, "string"], [/\d+(\.\d+)?(?![\w-])/, "number"],
      [/(?:domain|instance|non-fluents|requirements|types|pvariables|cpfs|cdfs|reward|objects|init-state|state-action-constraints|action-preconditions|state-invariants|termination|horizon|discount|max-nondef-actions|if|then|else|switch|case|default|true|false|forall_|exists_|sum_|prod_|min_|max_|avg_|argmin_|argmax_)(?![\w-])/, "keyword"],
    ],
  },
  toml: {
    comment: "#",
    patterns: [
      [/#.*/, "comment"], [/"(?:[^"\\]|\\.)*"?|'[^']*'?/, "string"], [/[\w-]+(?=\s*=)/, "keyword"], [/\[+[\w."-]+\]+(?=\s*(?:#|$))/, "keyword"],
      [/[+-]?\d+(\.\d+)?(?![\w-])/, "number"],
    ],
  },
};

const style = HighlightStyle.define([
  { tag: tags.comment, class: "comment" }, { tag: tags.keyword, class: "word" }, { tag: tags.variableName, class: "variable" },
  { tag: [tags.string, tags.number], class: "value" },
]);

/** The colours of a language, as an extension of CodeMirror. */
export function coloured(name) {
  const { comment, patterns } = LANGUAGES[name];
  const language = StreamLanguage.define({
    name,
    languageData: { commentTokens: { line: comment }, closeBrackets: { brackets: ["(", "{", "["] } },
    token(stream) {
      if (stream.eatSpace()) return null;
      for (const [pattern, kind] of patterns) if (stream.match(pattern)) return kind;
      if (!stream.match(/[\w-]+'?/)) stream.next();
      return null;
    },
  });
  return [language, syntaxHighlighting(style)];
}
