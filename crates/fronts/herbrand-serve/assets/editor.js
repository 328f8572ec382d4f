// The text editor: CodeMirror, with the faults, hover, completion and formatting of the engine.
import {
  Decoration, EditorState, EditorView, GutterMarker, RangeSet, StateEffect, StateField, WidgetType, autocompletion, bracketMatching,
  closeBrackets, closeBracketsKeymap, defaultKeymap, drawSelection, gutterLineClass, highlightActiveLine, history, historyKeymap, hoverTooltip,
  keymap, lineNumbers, lintKeymap, search, searchKeymap, setDiagnostics,
} from "./codemirror.js";
import { element, markdown } from "./markdown.js";
import { coloured } from "./languages.js";
import { edits, offset, place, position } from "./positions.js";

/** The kinds of completions of the Language Server Protocol, as CodeMirror names their icons. */
const KINDS = { 2: "method", 3: "function", 5: "property", 6: "variable", 7: "class", 12: "constant", 13: "enum", 14: "keyword", 20: "constant", 21: "constant" };
/** The codes of names that nothing reads, which are faded. */
const UNREAD = ["W0108", "W0308"];
/** The signs after which completions are offered without a letter. */
const SIGNS = "(?:@{";

class Note extends WidgetType {
  constructor(severity, text) { super(); Object.assign(this, { severity, text }); }
  eq(other) { return this.severity === other.severity && this.text === other.text; }
  toDOM() { return element("div", `note ${this.severity}`, this.text); }
}

const marker = new (class extends GutterMarker {
  elementClass = "has-error";
})();

/** Sets the faults: a list of `{ from, to, finding }` in the order of the text. */
const setFaults = StateEffect.define();

/** The messages below the lines, and the marks of the lines' numbers. */
const notes = StateField.define({
  create: () => ({ below: Decoration.none, numbers: RangeSet.empty }),
  update(value, transaction) {
    const { below, numbers } = value;
    let next = transaction.docChanged ? { below: below.map(transaction.changes), numbers: numbers.map(transaction.changes) } : value;
    for (const effect of transaction.effects) {
      if (!effect.is(setFaults)) continue;
      const { doc } = transaction.state;
      const widgets = effect.value.filter(({ finding }) => finding.severity !== "hint").map(({ from, finding }) => {
        const text = [`${finding.code} ${finding.message}`.trim(), finding.help].filter(Boolean).join(" — ");
        return Decoration.widget({ widget: new Note(finding.severity, text), block: true, side: 1 }).range(doc.lineAt(from).to);
      });
      const errors = effect.value.filter(({ finding }) => finding.severity === "error").map(({ from }) => doc.lineAt(from).from);
      next = {
        below: Decoration.set(widgets, true),
        numbers: RangeSet.of([...new Set(errors)].map((at) => marker.range(at)), true),
      };
    }
    return next;
  },
  provide: (field) => [
    EditorView.decorations.from(field, ({ below }) => below),
    gutterLineClass.from(field, ({ numbers }) => numbers),
  ],
});

export class Editor {
  /**
   * Creates an editor in the element `parent`. `changed` is called after each edit of the user. `ask` sends a question about the shown
   * text to the engine and returns its answer, or `null`; `explain` does so for a code. `mended` gets the edits of other texts.
   */
  constructor(parent, { changed, ask, explain, mended }) {
    Object.assign(this, { changed, ask, explain, mended, findings: [], fixes: [] });
    /** The states of the texts that are not shown, by name, with their histories. */
    this.states = new Map();
    const frame = element("div", "code");
    parent.append(frame);
    this.view = new EditorView({ parent: frame, state: EditorState.create() });
  }

  get text() { return this.view.state.doc.toString(); }

  /** Shows a text. Its history is kept while other texts are shown, unless the text has changed since. */
  open(name, text, language) {
    if (this.name) this.states.set(this.name, this.view.state);
    const before = this.states.get(name);
    this.name = name;
    const isSame = before?.doc.toString() === text && this.language === language;
    this.language = language;
    this.view.setState(isSame ? before : this.state(name, text));
    this.show([]);
  }

  /** Forgets the histories of all texts, which are those of another problem. */
  forget() {
    this.states.clear();
    this.name = null;
  }

  /** Replaces the shown text, as if another program had written it. */
  state(name, text) {
    return EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(), history(), drawSelection(), highlightActiveLine(), bracketMatching(), closeBrackets(), search({ top: true }),
        notes, coloured(name === "settings" ? "toml" : this.language),
        autocompletion({ override: [(context) => this.complete(context)], icons: true }),
        hoverTooltip((view, at) => this.hover(at)),
        keymap.of([
          { key: "Shift-Alt-f", run: () => { this.format(); return true; } },
          ...closeBracketsKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap, ...lintKeymap,
        ]),
        EditorState.tabSize.of(4),
        EditorView.contentAttributes.of({ "aria-label": `Text of the ${name}`, spellcheck: "false" }),
        EditorView.updateListener.of(({ docChanged }) => { if (docChanged) this.changed(); }),
      ],
    });
  }

  /** Shows findings, whose positions are lines and columns counted from 1, and the edits that mend them, as the engine returns them. */
  show(findings, fixes = []) {
    const { doc } = this.view.state;
    const faults = findings.map((finding) => ({ ...place(doc, finding.place), finding })).sort((a, b) => a.from - b.from);
    const diagnostics = faults.map(({ from, to, finding }) => ({
      from,
      to,
      severity: finding.severity,
      markClass: UNREAD.includes(finding.code) ? "unread" : "",
      message: finding.message,
      renderMessage: () => this.told(finding),
      actions: fixes
        .filter(({ diagnostics: [one] }) => String(one?.code ?? "") === finding.code && offset(doc, one.range.start) === from)
        .map(({ title, edit }) => ({ name: title, apply: () => this.mend(edit.changes) })),
    }));
    this.view.dispatch({ effects: setFaults.of(faults) }, setDiagnostics(this.view.state, diagnostics));
  }

  /** Returns the message of a finding with all its remarks, and its explanation when it is opened. */
  told({ code, message, label, help, notes: more }) {
    const shown = element("div", "told");
    shown.append(element("p", "", [code, message].filter(Boolean).join(" ")));
    for (const text of [label, help, ...more].filter(Boolean)) shown.append(element("p", "remark", text));
    if (!code) return shown;
    const details = element("details");
    details.append(element("summary", "", `What ${code} means`));
    details.ontoggle = async () => {
      if (details.children.length > 1) return;
      const text = await this.explain(code);
      if (text) details.append(markdown(text));
    };
    shown.append(details);
    return shown;
  }

  /** Moves the caret to a line and column, counted from 1, and focuses the editor. */
  go(line, column) {
    const { from } = place(this.view.state.doc, [line, column, line, column]);
    this.view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: "center" }) });
    this.view.focus();
  }

  async hover(at) {
    const { doc } = this.view.state;
    const answer = await this.ask({ want: "hover", ...position(doc, at) });
    if (!answer || doc !== this.view.state.doc) return null;
    const { from, to } = edits(doc, [{ range: answer.range, newText: "" }])[0];
    return { pos: from, end: to, above: true, create: () => ({ dom: markdown(answer.contents.value) }) };
  }

  async complete(context) {
    const word = context.matchBefore(/[\w-]+/);
    const sign = context.pos > 0 ? context.state.sliceDoc(context.pos - 1, context.pos) : "";
    if (!context.explicit && !word && !(sign && SIGNS.includes(sign))) return null;
    const { doc } = context.state;
    const items = await this.ask({ want: "completion", ...position(doc, context.pos) });
    if (!items?.length || context.aborted) return null;
    return {
      from: offset(doc, items[0].textEdit.range.start),
      options: items.map(({ label, kind, detail, textEdit }, rank) => ({
        label, detail, type: KINDS[kind] ?? "text", apply: textEdit.newText, boost: -Math.min(99, rank / 10),
      })),
      validFor: /^[?:@]?[\w-]*$/,
    };
  }

  /** Formats the text, in one step of its history. Returns the reason if it cannot be formatted. */
  async format() {
    const { doc } = this.view.state;
    const answer = await this.ask({ want: "format" });
    if (answer && doc === this.view.state.doc) this.view.dispatch({ changes: edits(doc, answer), userEvent: "format" });
  }

  /** Makes the edits of a fix, in this text and in the others. */
  mend(changes) {
    for (const [uri, list] of Object.entries(changes)) {
      const name = /(\w+)\.\w+$/.exec(uri)?.[1];
      if (name === this.name) this.view.dispatch({ changes: edits(this.view.state.doc, list), userEvent: "input.fix" });
      else this.mended(name, list);
    }
  }
}
