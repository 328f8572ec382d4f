// The view in which texts are edited: three texts, checked as one types.
import { ask } from "./engine.js";
import { Editor } from "./editor.js";

const at = (id) => document.getElementById(id);
const TEXTS = [["domain", "Domain"], ["problem", "Problem"], ["settings", "Settings"]];
/** How long nothing is typed before the texts are checked, in milliseconds. */
const PAUSE = 200;

export class Workshop {
  /** `problem` says which problem is played, `play` plays texts. */
  constructor({ problem, play }) {
    Object.assign(this, { problem, play, opened: null, texts: null, shown: "domain", findings: [], language: "pddl", asked: 0 });
    this.editor = new Editor(at("editor"), "Text of the domain", () => this.edited());
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
    at("run").onclick = () => this.play({ ...this.texts });
  }

  /** Shows the texts of the problem that is played, unless they are shown already. */
  async open() {
    const problem = JSON.stringify(this.problem());
    if (problem === this.opened) return;
    const reply = await ask({ ask: "texts", problem: this.problem() });
    if (reply.is !== "texts") { this.say(reply.message, "bad"); return; }
    this.opened = problem;
    this.texts = reply.texts;
    this.language = reply.language;
    this.findings = [];
    this.show("domain");
    await this.check();
  }

  show(name) {
    this.shown = name;
    this.editor.language = name === "settings" ? "toml" : this.language;
    this.editor.area.setAttribute("aria-label", `Text of the ${name}`);
    this.editor.text = this.texts[name];
    this.mark();
    for (const button of this.choices) {
      const here = button.dataset.text === name;
      button.setAttribute("aria-checked", String(here));
      button.tabIndex = here ? 0 : -1;
    }
  }

  edited() {
    this.texts = { ...this.texts, [this.shown]: this.editor.text };
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.check(), PAUSE);
  }

  async check() {
    this.asked += 1;
    const own = this.asked;
    const reply = await ask({ ask: "check", texts: this.texts });
    if (own !== this.asked) return;
    if (reply.is !== "check") { this.findings = []; this.say(reply.message, "bad"); at("run").disabled = true; this.mark(); return; }
    this.findings = reply.findings;
    this.language = reply.language;
    at("run").disabled = reply.errors > 0;
    const warnings = reply.findings.length - reply.errors;
    const count = (number, word) => `${number} ${word}${number === 1 ? "" : "s"}`;
    if (reply.errors) this.say([count(reply.errors, "fault"), warnings ? count(warnings, "warning") : ""].filter(Boolean).join(", "), "bad");
    else this.say(warnings ? `It can be played; ${count(warnings, "warning")}.` : "No faults.", "good");
    this.mark();
  }

  say(text, kind) {
    at("verdict").textContent = text;
    at("verdict").className = kind;
  }

  /** Marks the faults in the text that is shown, and lists all of them. */
  mark() {
    this.editor.show(this.findings.filter((one) => one.text === this.shown));
    for (const [place, [name, label]] of TEXTS.entries()) {
      const own = this.findings.filter((one) => one.text === name && one.severity === "error").length;
      this.choices[place].textContent = own ? `${label} (${own})` : label;
    }
    at("findings").replaceChildren(...this.findings.slice(0, 100).map((one) => {
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
