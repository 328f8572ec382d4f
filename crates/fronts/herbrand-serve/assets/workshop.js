// The view for editing texts: domain, problem and settings, checked while the user types and stored in the browser.
import { ask, latest } from "./engine.js";
import { Editor } from "./editor.js";
import { TEMPLATE } from "./files.js";
import { offset } from "./positions.js";
import { save } from "./share.js";
import { OWN, discard, keep, kept, nameFor, nameOf, watch, wouldLose } from "./store.js";

const at = (id) => document.getElementById(id);
const TEXTS = [["domain", "Domain"], ["problem", "Problem"], ["settings", "Settings"]];
/** The delay in milliseconds between the last edit and the check of the texts. */
const PAUSE = 200;

export class Workshop {
  /**
   * `played` returns the current problem and the name of its texts, `play` plays a problem, and `listed` is called when the names of
   * stored texts change.
   */
  constructor({ played, play, listed }) {
    Object.assign(this, { played, play, listed, opened: null, texts: null, base: null, errors: 0, shown: "domain", findings: [], fixes: [], language: "pddl", asked: 0 });
    /** The name under which the texts are stored, and the bundled problem that they start from. */
    Object.assign(this, { name: null, from: null });
    /** The entry that was discarded last and its name, while it can be restored. */
    this.discarded = null;
    this.checking = latest();
    this.editor = new Editor(at("editor"), {
      changed: () => this.edited(),
      ask: (want) => this.assist(want),
      explain: async (code) => (await ask({ ask: "explanation", code })).answer,
      mended: (name, edits) => this.mended(name, edits),
    });
    this.choices = TEXTS.map(([name, label]) => {
      const button = document.createElement("button");
      button.textContent = label;
      button.setAttribute("role", "radio");
      button.dataset.text = name;
      button.onclick = () => this.show(name);
      return button;
    });
    at("which").append(...this.choices);
    at("which").addEventListener("keydown", (event) => {
      const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!by) return;
      const here = TEXTS.findIndex(([name]) => name === this.shown);
      const next = (here + by + TEXTS.length) % TEXTS.length;
      this.show(TEXTS[next][0]);
      this.choices[next].focus();
    });
    at("run").onclick = () => this.run();
    at("format").onclick = () => this.editor.format();
    at("save-edited").onclick = () => saveTexts(this.texts, this.language);
    at("discard").onclick = () => (this.discarded ? this.bringBack() : this.discard());
    watch((name, entry) => this.changedElsewhere(name, entry));
    addEventListener("beforeunload", (event) => { if (wouldLose()) event.preventDefault(); });
  }

  /** Shows the texts of the current problem, or the user's edits of them, unless they are already shown. */
  async open() {
    const { problem, name } = this.played();
    const wanted = JSON.stringify([problem, name]);
    if (wanted === this.opened) return;
    const reply = await ask({ ask: "texts", problem });
    if (reply.is !== "texts") { this.say(reply.message, "bad"); return; }
    const isBundled = "domain" in problem;
    this.opened = wanted;
    this.name = isBundled ? nameOf(problem) : name ?? nameFor(problem.texts);
    const entry = kept(this.name);
    this.from = isBundled ? problem : entry?.from ?? null;
    this.texts = entry?.texts ?? reply.texts;
    this.base = reply.texts;
    this.errors = 0;
    this.language = reply.language;
    this.findings = [];
    this.discarded = null;
    this.tellKept();
    this.editor.forget();
    this.show("domain");
    await this.check();
  }

  /** Plays the texts in the editor, which stays unchanged. */
  async run() {
    const problem = { texts: { ...this.texts } };
    this.opened = JSON.stringify([problem, this.name]);
    this.base = problem.texts;
    await this.play(problem, this.name);
  }

  /** Returns the number of errors in the texts if they are no longer those of the current problem, and otherwise `null`. */
  ahead() {
    const { problem, name } = this.played();
    if (!this.texts || this.opened !== JSON.stringify([problem, name])) return null;
    const same = TEXTS.every(([text]) => (this.texts[text] ?? "") === (this.base[text] ?? ""));
    return same ? null : { errors: this.errors };
  }

  show(name) {
    this.shown = name;
    this.editor.open(name, this.texts[name], this.language);
    at("format").disabled = name === "settings";
    this.mark();
    this.mendable();
    for (const button of this.choices) {
      const here = button.dataset.text === name;
      button.setAttribute("aria-checked", String(here));
      button.tabIndex = here ? 0 : -1;
    }
  }

  /** Asks the engine about the shown text. Returns `null` if it has no answer, and says why if it refuses. */
  async assist(want) {
    const reply = await ask({ ask: "assist", texts: { ...this.texts, [this.shown]: this.editor.text }, text: this.shown, ...want });
    if (reply.is === "assist") return reply.answer;
    this.say(reply.message, "bad");
    return null;
  }

  /** Edits a text that is not shown. */
  mended(name, edits) {
    const lines = this.texts[name].split("\n");
    const starts = [0];
    for (const line of lines) starts.push(starts[starts.length - 1] + line.length + 1);
    const doc = {
      lines: lines.length,
      length: this.texts[name].length,
      line: (number) => ({ from: starts[number - 1], to: starts[number] - 1 }),
    };
    const ordered = edits.map(({ range, newText }) => [offset(doc, range.start), offset(doc, range.end), newText]).sort(([a], [b]) => b - a);
    let text = this.texts[name];
    for (const [from, to, added] of ordered) text = text.slice(0, from) + added + text.slice(to);
    this.texts = { ...this.texts, [name]: text };
    this.edited();
  }

  edited() {
    this.texts = { ...this.texts, [this.shown]: this.editor.text };
    this.keep();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.check(), PAUSE);
  }

  /** Stores the texts in the browser. */
  keep() {
    const isNew = !kept(this.name);
    this.discarded = null;
    keep(this.name, { texts: this.texts, from: this.from });
    this.tellKept();
    if (isNew) this.listed();
  }

  /** Discards the edits and reopens the bundled problem that they start from, or the template. */
  async discard() {
    const { name, from } = this;
    this.discarded = { name, entry: kept(name) ?? { texts: this.texts, from } };
    discard(name);
    if (from) await this.reopen(from, name);
    else await this.reopen({ texts: TEMPLATE }, kept(OWN) ? nameFor(TEMPLATE) : OWN);
  }

  async bringBack() {
    const { name, entry } = this.discarded;
    this.discarded = null;
    keep(name, entry);
    await this.reopen(entry.from ?? { texts: entry.texts }, name);
  }

  async reopen(problem, name) {
    const { discarded } = this;
    this.listed();
    this.opened = null;
    await this.play(problem, name, "edit");
    await this.open();
    this.discarded = discarded;
    this.tellKept();
  }

  /** Shows whether the edits are stored, and offers to discard or restore them. */
  tellKept() {
    const edits = this.from ? `edits of ${nameOf(this.from)}` : "files";
    const isRefused = wouldLose(this.name);
    const [how, offer] = isRefused
      ? ["This browser cannot store your edits: save the files before you leave.", "Discard"]
      : this.discarded
        ? [`Your ${edits} were discarded.`, "Restore"]
        : kept(this.name) ? [`Your ${edits} are stored in this browser.`, "Discard"] : ["", ""];
    at("kept").hidden = !how;
    at("kept").className = isRefused ? "bad" : "";
    at("kept-how").textContent = how;
    at("discard").textContent = offer;
  }

  /** Applies edits from another tab to the shown texts, so that neither tab loses edits. */
  changedElsewhere(name, entry) {
    this.listed();
    if (name !== this.name || !this.texts) return;
    if (entry) {
      this.texts = entry.texts;
      this.show(this.shown);
      this.check();
    }
    this.tellKept();
  }

  async check() {
    this.asked += 1;
    const own = this.asked;
    const reply = await this.checking.ask({ ask: "check", texts: this.texts });
    if (own !== this.asked) return;
    if (reply.is !== "check") { this.findings = []; this.say(reply.message, "bad"); at("run").disabled = true; this.mark(); return; }
    this.findings = reply.findings;
    this.language = reply.language;
    this.errors = reply.errors;
    at("run").disabled = reply.errors > 0;
    const warnings = reply.findings.filter((one) => one.severity === "warning").length;
    const count = (number, word) => `${number} ${word}${number === 1 ? "" : "s"}`;
    if (reply.errors) this.say([count(reply.errors, "error"), warnings ? count(warnings, "warning") : ""].filter(Boolean).join(", "), "bad");
    else this.say(warnings ? `Ready to play, ${count(warnings, "warning")}.` : "No errors.", "good");
    this.mark();
    await this.mendable();
  }

  /** Asks for the edits that mend the faults of the shown text. */
  async mendable() {
    this.fixes = [];
    const { asked, shown } = this;
    if (shown === "settings" || !this.findings.some((one) => one.text === shown)) return;
    const reply = await ask({ ask: "assist", texts: this.texts, text: shown, want: "fixes" });
    if (reply.is !== "assist" || asked !== this.asked || shown !== this.shown) return;
    this.fixes = reply.answer;
    this.mark();
  }

  say(text, kind) {
    at("verdict").textContent = text;
    at("verdict").className = kind;
  }

  /** Marks the faults of the shown text, and lists the faults of all texts. */
  mark() {
    this.editor.show(this.findings.filter((one) => one.text === this.shown), this.fixes);
    for (const [place, [name, label]] of TEXTS.entries()) {
      const own = this.findings.filter((one) => one.text === name && one.severity === "error").length;
      this.choices[place].textContent = own ? `${label} (${own})` : label;
    }
    const listed = this.findings.filter((one) => one.severity !== "hint");
    at("findings").replaceChildren(...listed.slice(0, 100).map((one) => {
      const line = document.createElement("li");
      line.className = one.severity;
      const button = document.createElement("button");
      const code = document.createElement("b");
      code.textContent = [one.severity, one.code].filter(Boolean).join(" ");
      button.append(code, ` ${one.text} ${one.place[0]}:${one.place[1]} ${one.message}`);
      button.onclick = () => {
        if (one.text && one.text !== this.shown) this.show(one.text);
        this.editor.go(one.place[0], one.place[1]);
      };
      line.append(button);
      const more = [one.label, one.help, ...one.notes].filter(Boolean);
      if (more.length) {
        const said = document.createElement("p");
        said.textContent = more.join("\n");
        line.append(said);
      }
      return line;
    }));
  }
}

/** Downloads texts as files. */
export function saveTexts(texts, language) {
  save(`domain.${language}`, texts.domain);
  save(`problem.${language}`, texts.problem);
  if (texts.settings) save("env.toml", texts.settings);
}
