// Stores edited texts and the position in the browser, so that a reload loses nothing.
//
// Edited texts are stored in `localStorage`, one entry per name, for all tabs and later visits. The position is stored in
// `sessionStorage`, which belongs to one tab and survives a reload. A browser may refuse either; refused texts stay in memory until the
// page is left.

import { nameIn } from "./files.js";

const TEXTS = "herbrand.texts.";
const POSITION = "herbrand.position";

/** The name of texts that do not start from a bundled problem. */
export const OWN = "your own";

/** The entries that the browser has refused to store, by name. */
const unkept = new Map();

/** Returns whether leaving the page would lose the texts with this name, or any texts if no name is given. */
export const wouldLose = (name) => (name === undefined ? unkept.size > 0 : unkept.has(name));

/** Returns the result of `work`, or `otherwise` if the browser refuses access to its storage. */
function attempt(work, otherwise) {
  try {
    return work() ?? otherwise;
  } catch {
    return otherwise;
  }
}

/** Returns the name of edited texts that start from this bundled problem. */
export const nameOf = ({ domain, problem }) => `${domain} ${problem}`;

/** Returns the names of all stored texts in alphabetical order. */
export const names = () => {
  const stored = attempt(() => Object.keys(localStorage).filter((key) => key.startsWith(TEXTS)), []);
  return [...new Set([...stored.map((key) => key.slice(TEXTS.length)), ...unkept.keys()])].sort();
};

/** Returns the entry with this name: `texts`, and `from`, the bundled problem that they start from; `null` if there is no such entry. */
export const kept = (name) => unkept.get(name) ?? attempt(() => JSON.parse(localStorage.getItem(TEXTS + name)), null);

/** Stores an entry. Returns `false` if the browser refuses, for example because its storage is full. */
export function keep(name, entry) {
  const isKept = attempt(() => { localStorage.setItem(TEXTS + name, JSON.stringify(entry)); return true; }, false);
  if (isKept) unkept.delete(name);
  else unkept.set(name, entry);
  return isKept;
}

/** Removes the entry with this name. */
export function discard(name) {
  unkept.delete(name);
  attempt(() => localStorage.removeItem(TEXTS + name));
}

/** Returns the name of the entry with these texts, or else an unused name: the names that they define, with a number if needed. */
export function nameFor(texts) {
  const same = names().find((name) => JSON.stringify(kept(name)?.texts) === JSON.stringify(texts));
  if (same) return same;
  const taken = new Set([OWN, ...names()]);
  const wanted = nameIn(texts) ?? OWN;
  if (!taken.has(wanted)) return wanted;
  let number = 2;
  while (taken.has(`${wanted} ${number}`)) number += 1;
  return `${wanted} ${number}`;
}

/** Calls `changed` with a name and its new entry whenever another tab stores or removes texts. */
export function watch(changed) {
  addEventListener("storage", ({ key, newValue }) => {
    if (key?.startsWith(TEXTS)) changed(key.slice(TEXTS.length), attempt(() => JSON.parse(newValue), null));
  });
}

/** Stores the position of this tab. Returns `false` if the browser refuses. */
export const keepPosition = (position) => attempt(() => { sessionStorage.setItem(POSITION, JSON.stringify(position)); return true; }, false);

/** Returns the position of this tab before a reload; `null` if none is stored. */
export const keptPosition = () => attempt(() => JSON.parse(sessionStorage.getItem(POSITION)), null);
