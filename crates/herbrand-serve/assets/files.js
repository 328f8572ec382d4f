// Files that the reader opens: texts of a problem, or a trace.

/** A small problem to start from: valid, and small enough to change at once. */
export const TEMPLATE = {
  domain: `; A domain says which facts there can be and what each action does.
(define (domain lamps)
  (:requirements :strips :typing :negative-preconditions)
  (:types lamp)
  (:predicates (lit ?l - lamp))
  (:action light
    :parameters (?l - lamp)
    :precondition (not (lit ?l))
    :effect (lit ?l)))
`,
  problem: `; A problem names the objects, the facts at the beginning and the goal.
(define (problem two-lamps)
  (:domain lamps)
  (:objects left right - lamp)
  (:init)
  (:goal (and (lit left) (lit right))))
`,
  settings: "",
};

/** A PDDL text with blanks in place of its comments, so that offsets stay the same. */
const withoutComments = (text) => text.replace(/;[^\n]*/g, (comment) => " ".repeat(comment.length));

/** Where each definition of a PDDL text begins, and whether it is a domain or a problem. */
const definitions = (text) => [...withoutComments(text).matchAll(/\(\s*define\s*\(\s*(domain|problem)\b/gi)]
  .map((match) => ({ at: match.index, kind: match[1].toLowerCase() }));

/** The parts of one file: pairs of `trace`, `domain`, `problem` or `settings` and a text. */
function parts(name, text) {
  const ending = /\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? "";
  const start = text.replace(/^\ufeff/, "").trimStart();
  if (ending === "toml") return [["settings", text]];
  if (["jsonl", "json"].includes(ending) || start.startsWith("{")) return [["trace", text]];
  if (ending === "rddl" || /^(\/\/|(domain|non-fluents|instance)\b)/.test(start)) {
    // A file with a domain may have the other blocks too.
    const code = text.replace(/\/\/[^\n]*/g, "");
    return [[/\bdomain\s+[\w-]+\s*\{/.test(code) ? "domain" : "problem", text]];
  }
  const found = definitions(text);
  const [first, second, ...more] = found;
  if (first && second && more.length === 0 && first.kind !== second.kind) {
    return [[first.kind, text.slice(0, second.at)], [second.kind, text.slice(second.at)]];
  }
  if (first) return [[first.kind, text]];
  // Without a definition the name is all there is to go by.
  return [[/problem|^p?\d+\./i.test(name) ? "problem" : "domain", text]];
}

/**
 * Sorts files into the texts of a problem and a trace: `{ texts, trace }`, each `null` if there is none, or `{ fault }`.
 * A problem or settings without a domain replace those of `shown`, the texts in the editor.
 */
export async function sorted(files, shown) {
  const found = {};
  for (const file of files) {
    for (const [kind, text] of parts(file.name, await file.text())) {
      if (kind in found) return { fault: `These files contain more than one ${kind}: open one at a time.` };
      found[kind] = text;
    }
  }
  const { trace = null, ...given } = found;
  if (Object.keys(given).length === 0) return { texts: null, trace };
  const others = "domain" in given ? { domain: "", problem: "", settings: "" } : shown;
  return { texts: { ...others, ...given }, trace };
}
