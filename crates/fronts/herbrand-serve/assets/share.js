// Saves files, and converts positions to links and back.

/** Downloads a text as a file. */
export function save(name, text) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** The maximum length of the encoded position in a link, in characters. */
const LONGEST = 16000;

/** Returns a link to a position; `null` if it would be too long. */
export function link(position) {
  const bytes = new TextEncoder().encode(JSON.stringify(position));
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  const code = btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  return code.length > LONGEST ? null : `${location.href.split("#")[0]}#${code}`;
}

/** Returns the position of a link from its hash; `null` if the hash encodes no position. */
export function linked(hash) {
  if (hash.length < 2) return null;
  try {
    const binary = atob(hash.slice(1).replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    const { problem, seed, walk } = JSON.parse(new TextDecoder().decode(bytes));
    const whole = problem && Number.isInteger(seed) && Array.isArray(walk);
    return whole ? { problem, seed, walk } : null;
  } catch {
    return null;
  }
}
