// Draws the engine's Markdown: headings, paragraphs, fenced code, rules and code in a line.

/** Creates an element with a class and a text. */
export const element = (tag, className, text) => {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
};

/** Splits a paragraph into text, and code between backticks. */
function inline(into, text) {
  text.split("`").forEach((part, number) => into.append(number % 2 ? element("code", "", part) : part));
  return into;
}

/** Returns an element with the text drawn. */
export function markdown(text) {
  const made = element("div", "markdown");
  // Every second part is fenced code, whose first line names its language.
  text.split(/^```/m).forEach((part, number) => {
    if (number % 2) {
      made.append(element("pre", "", part.slice(part.indexOf("\n") + 1).trimEnd()));
      return;
    }
    for (const block of part.split(/\n\s*\n/).map((one) => one.trim()).filter(Boolean)) {
      if (block === "---") made.append(element("hr"));
      else if (block.startsWith("# ")) made.append(inline(element("h3"), block.slice(2)));
      else made.append(inline(element("p"), block));
    }
  });
  return made;
}
