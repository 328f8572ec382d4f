// Keeps edited texts and the position in the browser, so that a reload loses nothing.
//
// Edited texts are in the browser's `localStorage`, one entry per name, for all tabs and later visits. The position is in its
// `sessionStorage`, which belongs to one tab and survives a reload. A browser may refuse either; texts that it refuses stay in
// memory until the page is left.

const TEXTS = "herbrand.texts.";
const POSITION = "herbrand.position";

/** The name of texts that do not start from a bundled problem. */
export const OWN = "your own";

/** The entries that the browser has refused to keep, by name. */
const unkept = new Map();

/** Whether leaving the page would lose the texts with this name, or with no name given any texts. */
export const wouldLose = (name) => (name === undefined ? unkept.size > 0 : unkept.has(name));

/** What `work` returns, or `otherwise` if the browser refuses access to its storage. */
function attempt(work, otherwise) {
  try {
    return work() ?? otherwise;
  } catch {
    return otherwise;
  }
}

/** The name of edited texts that start from this bundled problem. */
export const nameOf = ({ domain, problem }) => `${domain} ${problem}`;

/** The names of all kept texts, in alphabetical order. */
export const names = () => {
  const stored = attempt(() => Object.keys(localStorage).filter((key) => key.startsWith(TEXTS)), []);
  return [...new Set([...stored.map((key) => key.slice(TEXTS.length)), ...unkept.keys()])].sort();
};

/** The entry with this name: `texts`, and the bundled problem `from` which they start from; `null` if there is none. */
export const kept = (name) => unkept.get(name) ?? attempt(() => JSON.parse(localStorage.getItem(TEXTS + name)), null);

/** Keeps an entry; `false` if the browser refuses, as it does when its storage is full. */
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

/** The name of the entry that has these texts, or else a name that is free. */
export function nameFor(texts) {
  const same = names().find((name) => JSON.stringify(kept(name)?.texts) === JSON.stringify(texts));
  if (same) return same;
  const taken = new Set([OWN, ...names()]);
  let number = 2;
  while (taken.has(`${OWN} ${number}`)) number += 1;
  return `${OWN} ${number}`;
}

/** Calls `changed` with a name and its new entry whenever another tab keeps or removes texts. */
export function watch(changed) {
  addEventListener("storage", ({ key, newValue }) => {
    if (key?.startsWith(TEXTS)) changed(key.slice(TEXTS.length), attempt(() => JSON.parse(newValue), null));
  });
}

/** Keeps the position of this tab; `false` if the browser refuses. */
export const keepPosition = (position) => attempt(() => { sessionStorage.setItem(POSITION, JSON.stringify(position)); return true; }, false);

/** The position that this tab had before a reload; `null` if there is none. */
export const keptPosition = () => attempt(() => JSON.parse(sessionStorage.getItem(POSITION)), null);
