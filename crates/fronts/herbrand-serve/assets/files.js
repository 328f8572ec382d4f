// Classifies the files that the user opens: texts of a problem, or a trace.

/** A small valid problem as a starting point for the user's own. */
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

/** Replaces the comments of a PDDL text by spaces, which preserves offsets. */
const withoutComments = (text) => text.replace(/;[^\n]*/g, (comment) => " ".repeat(comment.length));

/** Returns the start and the kind (domain or problem) of each definition in a PDDL text. */
const definitions = (text) => [...withoutComments(text).matchAll(/\(\s*define\s*\(\s*(domain|problem)\b/gi)]
  .map((match) => ({ at: match.index, kind: match[1].toLowerCase() }));

/** Returns the lines of a text without comments and blank lines. */
const lines = (text) => withoutComments(text).split("\n").map((line) => line.trim()).filter(Boolean);

/** A line of a PDDL plan: an action, perhaps with a time before it and a duration after it. */
const PLAN_LINE = /^(?:\d+(?:\.\d+)?\s*:\s*)?(\([^()]+\))\s*(?:\[[\d.]+\])?$/;

/** Returns the joint actions of a plan, as `herbrand plan` writes it for PDDL or RDDL; `null` if the text is not a plan. */
export function planned(text) {
  const steps = lines(text).map((line) => {
    const action = PLAN_LINE.exec(line)?.[1];
    if (action) return [action.toLowerCase()];
    const joint = /^\d+:\s*(.+)$/.exec(line)?.[1];
    return joint && (joint === "()" ? [] : joint.split(", "));
  });
  return steps.length && steps.every(Boolean) ? steps : null;
}

/** Returns the names of the domain and the problem that these texts define, each `undefined` if they define none. */
function namesIn({ domain, problem }) {
  const pddl = (text, kind) => new RegExp(`\\(\\s*define\\s*\\(\\s*${kind}\\s+([^\\s()]+)`, "i").exec(withoutComments(text))?.[1];
  const rddl = (text, kind) => new RegExp(`^\\s*${kind}\\s+([\\w-]+)\\s*\\{`, "m").exec(text.replace(/\/\/[^\n]*/g, ""))?.[1];
  return [
    pddl(domain, "domain") ?? rddl(domain, "domain"),
    pddl(problem, "problem") ?? rddl(problem, "instance") ?? rddl(domain, "instance"),
  ];
}

/** Returns the names of the domain and the problem that these texts define; `null` if they define none. */
export const nameIn = (texts) => namesIn(texts).filter(Boolean).join(" ") || null;

/** Returns the name of the problem that these texts define; `undefined` if they define none. */
export const problemIn = (texts) => namesIn(texts)[1];

/** Returns the description in the settings among these texts; `undefined` if there is none. */
export const descriptionIn = ({ settings }) => /^description\s*=\s*(?:"([^"\\\n]+)"|'([^'\n]+)')/m.exec(settings)?.slice(1).find(Boolean);

/** Splits a file into pairs of a kind (`trace`, `plan`, `domain`, `problem` or `settings`) and a text. */
function parts(name, text) {
  const ending = /\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? "";
  const start = text.replace(/^\ufeff/, "").trimStart();
  if (ending === "toml") return [["settings", text]];
  if (["jsonl", "json"].includes(ending) || start.startsWith("{")) return [["trace", text]];
  // A file that begins with a comment of RDDL is PDDL only if a parenthesis or a comment of PDDL follows.
  const begin = start.replace(/^(\/\/[^\n\r]*\s*)+/, "");
  const isRddl = /^(domain|non-fluents|instance)\b/.test(begin) || (begin !== start && !/^[(;]/.test(begin));
  if (ending === "rddl" || isRddl) {
    // A file with a domain may also contain the other blocks.
    const code = text.replace(/\/\/[^\n]*/g, "");
    return [[/\bdomain\s+[\w-]+\s*\{/.test(code) ? "domain" : "problem", text]];
  }
  const found = definitions(text);
  const [first, second, ...more] = found;
  if (first && second && more.length === 0 && first.kind !== second.kind) {
    return [[first.kind, text.slice(0, second.at)], [second.kind, text.slice(second.at)]];
  }
  if (first) return [[first.kind, text]];
  if (planned(text)) return [["plan", text]];
  // Without a definition, the file name decides.
  return [[/problem|^p?\d+\./i.test(name) ? "problem" : "domain", text]];
}

/**
 * Classifies files as the texts of a problem, a trace and a plan. Returns `{ texts, trace, plan }`, each `null` if missing, or
 * `{ fault }`. A problem or settings without a domain replace the corresponding texts of `shown`, which are in the editor.
 */
export async function sorted(files, shown) {
  const found = {};
  for (const file of files) {
    for (const [kind, text] of parts(file.name, await file.text())) {
      if (kind in found) return { fault: `These files contain more than one ${kind}: open one at a time.` };
      found[kind] = text;
    }
  }
  const { trace = null, plan = null, ...given } = found;
  if (Object.keys(given).length === 0) return { texts: null, trace, plan };
  const others = "domain" in given ? { domain: "", problem: "", settings: "" } : shown;
  return { texts: { ...others, ...given }, trace, plan };
}
