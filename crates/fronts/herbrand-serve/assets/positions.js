// Converts positions between a text of CodeMirror, the Language Server Protocol, and the findings of the engine.

/** Converts an offset to a line and a column counted from 0, in UTF-16 code units. */
export function position(doc, at) {
  const line = doc.lineAt(at);
  return { line: line.number - 1, character: at - line.from };
}

/** Converts a line and a column counted from 0 to an offset. */
export function offset(doc, { line, character }) {
  if (line >= doc.lines) return doc.length;
  const { from, to } = doc.line(line + 1);
  return Math.min(from + character, to);
}

/** Converts the edits of the Language Server Protocol to changes of CodeMirror. */
export const edits = (doc, list) => list.map(({ range, newText }) => ({ from: offset(doc, range.start), to: offset(doc, range.end), insert: newText }));

/** Converts a place, as lines and columns counted from 1 in characters, to a range of at least one character. */
export function place(doc, [first, from, last, to]) {
  const at = (number, column) => {
    if (number > doc.lines) return doc.length;
    const line = doc.line(number);
    return line.from + [...line.text].slice(0, column - 1).join("").length;
  };
  const start = at(first, from);
  const end = Math.max(at(last, to), Math.min(start + 1, doc.length));
  return { from: Math.min(start, Math.max(0, end - 1)), to: end };
}
