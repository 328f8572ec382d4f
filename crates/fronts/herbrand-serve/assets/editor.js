// A text editor that marks faults while the user types and shows their messages below the lines.
//
// An invisible text area manages the text, the caret, the clipboard and the undo history. The visible lines are drawn separately, to
// make room for messages between them.

const COLOURS = {
  pddl: /(?<comment>;.*)|(?<word>:[\w-]+|\((?:define|domain|problem|and|or|not|when|forall|exists|imply)\b)|(?<variable>\?[\w-]+)/g,
  rddl: /(?<comment>\/\/.*)|(?<word>\b(?:domain|instance|non-fluents|requirements|types|pvariables|cpfs|reward|objects|init-state|state-action-constraints|action-preconditions|state-invariants|termination|if|then|else|forall_|exists_|sum_|prod_)\b)|(?<variable>\?[\w-]+)/g,
  toml: /(?<comment>#.*)|(?<word>^\s*\[.*\]|^\s*[\w-]+(?=\s*=))/g,
};

const element = (tag, className, text) => {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
};

export class Editor {
  /** Creates an editor in the element `place`; `changed` is called after each change of the text. */
  constructor(place, label, changed) {
    this.changed = changed;
    this.language = "pddl";
    this.findings = [];
    this.drawn = [];
    const frame = element("div", "code");
    this.box = element("div", "scroll");
    this.area = element("textarea");
    Object.assign(this.area, { spellcheck: false, autocapitalize: "off", autocomplete: "off", wrap: "off" });
    this.area.setAttribute("aria-label", label);
    this.sheet = element("div", "sheet");
    this.sheet.setAttribute("aria-hidden", "true");
    this.caret = element("div", "caret");
    this.lines = element("div", "text");
    this.sheet.append(this.lines, this.caret);
    this.box.append(this.sheet);
    frame.append(this.area, this.box);
    place.append(frame);
    this.area.addEventListener("input", () => { this.draw(); this.changed(); });
    this.area.addEventListener("keydown", (event) => this.key(event));
    document.addEventListener("selectionchange", () => this.follow());
    for (const kind of ["focus", "blur"]) this.area.addEventListener(kind, () => this.follow());
    this.sheet.addEventListener("pointerdown", (event) => this.point(event));
    this.sheet.addEventListener("dblclick", (event) => this.word(event));
  }

  get text() { return this.area.value; }

  set text(text) {
    this.area.value = text;
    this.area.setSelectionRange(0, 0);
    this.findings = [];
    this.draw();
    this.box.scrollTo(0, 0);
  }

  /** Shows findings, whose positions are lines and columns counted from 1. */
  show(findings) {
    this.findings = findings;
    this.draw();
  }

  /** Moves the caret to a line and column, and focuses the editor. */
  go(line, column) {
    const lines = this.text.split("\n");
    let at = 0;
    for (const before of lines.slice(0, line - 1)) at += before.length + 1;
    at += [...(lines[line - 1] ?? "")].slice(0, column - 1).join("").length;
    this.area.focus({ preventScroll: true });
    this.area.setSelectionRange(at, at);
    this.follow();
  }

  // Enter keeps the indentation. Tab moves to the next control as usual, so that keyboard users can leave the editor.
  key(event) {
    if (event.key !== "Enter" || event.ctrlKey || event.metaKey || event.isComposing) return;
    const before = this.text.slice(0, this.area.selectionStart);
    const indent = /[ \t]*/.exec(before.slice(before.lastIndexOf("\n") + 1))[0];
    event.preventDefault();
    this.insert(`\n${indent}`);
  }

  insert(text) {
    // The command preserves the undo history of the text area. If a browser no longer supports it, the text is set directly.
    if (!document.execCommand("insertText", false, text)) {
      this.area.setRangeText(text, this.area.selectionStart, this.area.selectionEnd, "end");
      this.draw();
      this.changed();
    }
  }

  /** Redraws the lines that changed. */
  draw() {
    const wanted = this.text.split("\n").map((text, at) => ({ text, at, findings: this.findingsOf(at + 1, text) }));
    const key = (line) => `${line.text}\u0000${JSON.stringify(line.findings)}`;
    const keys = wanted.map(key);
    let start = 0;
    while (start < keys.length && start < this.drawn.length && keys[start] === this.drawn[start]) start += 1;
    let end = 0;
    while (end < keys.length - start && end < this.drawn.length - start
      && keys[keys.length - 1 - end] === this.drawn[this.drawn.length - 1 - end]) end += 1;
    const children = [...this.lines.children];
    for (const gone of children.slice(start, children.length - end)) gone.remove();
    const next = this.lines.children[start] ?? null;
    for (const line of wanted.slice(start, keys.length - end)) this.lines.insertBefore(this.line(line), next);
    this.drawn = keys;
    let offset = 0;
    [...this.lines.children].forEach((line, at) => {
      line.firstChild.dataset.n = String(at + 1);
      line.start = offset;
      offset += wanted[at].text.length + 1;
    });
    this.follow();
  }

  /** Returns the marks of a line, as character ranges, with their messages. */
  findingsOf(line, text) {
    return this.findings
      .filter(({ place: [first, , last] }) => first <= line && line <= last)
      .map((finding) => {
        const [first, from, last, to] = finding.place;
        const length = [...text].length;
        const start = first === line ? Math.min(from - 1, length) : 0;
        const end = last === line ? Math.min(to - 1, length) : length;
        const said = first === line ? [finding.message, finding.help].filter(Boolean).join(" — ") : "";
        return { start, end: Math.max(end, start), severity: finding.severity, said };
      });
  }

  line({ text, findings }) {
    const whole = element("div", "whole");
    const line = element("div", findings.some((one) => one.severity === "error") ? "line has-error" : "line");
    this.pieces(text, findings).forEach((piece) => line.append(piece));
    if (!text) line.append("\u200b");
    whole.append(line);
    for (const one of findings.filter(({ said }) => said)) whole.append(element("div", `note ${one.severity}`, one.said));
    return whole;
  }

  /** Splits the text into pieces with one colour and one mark each. */
  pieces(text, findings) {
    const characters = [...text];
    const colours = new Array(characters.length).fill("");
    const marks = new Array(characters.length).fill("");
    const widths = [0];
    for (const character of characters) widths.push(widths[widths.length - 1] + character.length);
    for (const match of text.matchAll(COLOURS[this.language])) {
      const [kind] = Object.entries(match.groups).find(([, found]) => found !== undefined);
      const begin = widths.indexOf(match.index);
      for (let at = begin; at < characters.length && widths[at] < match.index + match[0].length; at += 1) {
        if (characters[at] !== "(") colours[at] = kind;
      }
    }
    for (const one of findings) {
      for (let at = one.start; at < Math.max(one.end, one.start + 1) && at < marks.length; at += 1) {
        if (marks[at] !== "error") marks[at] = one.severity;
      }
    }
    const pieces = [];
    for (let at = 0; at < characters.length;) {
      let end = at + 1;
      while (end < characters.length && colours[end] === colours[at] && marks[end] === marks[at]) end += 1;
      const part = characters.slice(at, end).join("");
      let piece = colours[at] ? element("span", colours[at], part) : document.createTextNode(part);
      if (marks[at]) {
        const mark = element("mark", marks[at]);
        mark.append(piece);
        piece = mark;
      }
      pieces.push(piece);
      at = end;
    }
    return pieces;
  }

  /** Converts an offset in the text to a drawn node and an offset in it. */
  place(offset) {
    const lines = this.lines.children;
    let [low, high] = [0, lines.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (lines[middle].start <= offset) low = middle; else high = middle - 1;
    }
    const walker = document.createTreeWalker(lines[low].firstChild, NodeFilter.SHOW_TEXT);
    let left = offset - lines[low].start;
    let node = walker.nextNode();
    while (node && left > node.length && walker.nextNode()) { left -= node.length; node = walker.currentNode; }
    return [node, Math.min(left, node.textContent === "\u200b" ? 0 : node.length)];
  }

  /** Draws the caret and the selection of the text area. */
  follow() {
    const focused = document.activeElement === this.area;
    this.caret.hidden = !focused;
    const { selectionStart: start, selectionEnd: end } = this.area;
    const select = globalThis.CSS?.highlights;
    if (select) {
      select.delete("editor-selection");
      if (focused && start < end) {
        const range = new Range();
        range.setStart(...this.place(start));
        range.setEnd(...this.place(end));
        select.set("editor-selection", new Highlight(range));
      }
    }
    if (!focused) return;
    const range = new Range();
    const at = this.area.selectionDirection === "backward" ? start : end;
    range.setStart(...this.place(at));
    range.collapse(true);
    const found = range.getClientRects()[0] ?? range.startContainer.parentElement.getBoundingClientRect();
    const frame = this.sheet.getBoundingClientRect();
    const [x, y] = [found.left - frame.left, found.top - frame.top];
    Object.assign(this.caret.style, { left: `${x}px`, top: `${y}px`, height: `${found.height}px` });
    this.keepInSight(x, y, found.height);
  }

  keepInSight(x, y, height) {
    const box = this.box;
    if (y < box.scrollTop + 8) box.scrollTop = y - 8;
    else if (y + height > box.scrollTop + box.clientHeight - 24) box.scrollTop = y + height - box.clientHeight + 24;
    if (x < box.scrollLeft + 60) box.scrollLeft = Math.max(0, x - 60);
    else if (x > box.scrollLeft + box.clientWidth - 30) box.scrollLeft = x - box.clientWidth + 30;
  }

  /** Converts a point on the screen to an offset in the text. */
  offset(x, y) {
    const lines = [...this.lines.children];
    const whole = lines.find((one) => y < one.getBoundingClientRect().bottom) ?? lines[lines.length - 1];
    const line = whole.firstChild;
    const frame = line.getBoundingClientRect();
    const height = Math.min(Math.max(y, frame.top + 1), frame.bottom - 1);
    const length = line.textContent === "\u200b" ? 0 : line.textContent.length;
    let found = null;
    if (document.caretPositionFromPoint) {
      const at = document.caretPositionFromPoint(x, height);
      found = at && [at.offsetNode, at.offset];
    } else if (document.caretRangeFromPoint) {
      const at = document.caretRangeFromPoint(x, height);
      found = at && [at.startContainer, at.startOffset];
    }
    if (!found || !line.contains(found[0])) return whole.start + (x > frame.left ? length : 0);
    const range = new Range();
    range.setStart(line, 0);
    range.setEnd(...found);
    return whole.start + Math.min(range.toString().length, length);
  }

  point(event) {
    if (event.button !== 0) return;
    event.preventDefault();
    const from = event.shiftKey ? this.area.selectionStart : this.offset(event.clientX, event.clientY);
    const select = (to) => this.area.setSelectionRange(Math.min(from, to), Math.max(from, to), to < from ? "backward" : "forward");
    this.area.focus({ preventScroll: true });
    select(this.offset(event.clientX, event.clientY));
    this.follow();
    const move = (moved) => { select(this.offset(moved.clientX, moved.clientY)); this.follow(); };
    const stop = () => {
      document.removeEventListener("pointermove", move);
      document.removeEventListener("pointerup", stop);
    };
    document.addEventListener("pointermove", move);
    document.addEventListener("pointerup", stop);
  }

  word(event) {
    const at = this.offset(event.clientX, event.clientY);
    const before = /[\w?:-]*$/.exec(this.text.slice(0, at))[0].length;
    const after = /^[\w?:-]*/.exec(this.text.slice(at))[0].length;
    this.area.setSelectionRange(at - before, at + after);
    this.follow();
  }
}
