// The page: its state, views and controls.
import { about, ask, latest } from "./engine.js";
import { TEMPLATE, descriptionIn, planned, problemIn, sorted } from "./files.js";
import { Workshop, saveTexts } from "./workshop.js";
import { Picture, naming } from "./picture.js";
import { link, linked, save } from "./share.js";
import { OWN, keep, keepPosition, kept, keptPosition, nameFor, names } from "./store.js";

const at = (id) => document.getElementById(id);

/**
 * The position: a problem, the name of its texts if they are the user's own, the seed of random draws, all steps of the walk, and the
 * number of steps taken.
 */
const now = { problem: null, name: null, seed: 0, walk: [], step: 0, view: null };
const looking = latest();
const planning = latest();
let domains = [];
let watched = null;
let asked = 0;
/** The number of the last request of a view that was answered. */
let answered = 0;
let chosen = new Set();
let keeping = null;

const position = () => ({ problem: now.problem, seed: now.seed, walk: now.walk.slice(0, now.step) });

function say(text, kind = "") {
  at("said").textContent = brief(text);
  at("said").className = kind;
}

function list(place, entries, make) {
  place.replaceChildren(...entries.map((entry) => {
    const line = document.createElement("li");
    make(line, entry);
    return line;
  }));
}

const STATUS = {
  goal: "The goal is reached.",
  "dead-end": "Dead end: no action is valid. Undo, or go back to the start.",
  terminal: "The episode ends here.",
  horizon: "The episode has reached its horizon.",
  broken: "The episode ends here: a state invariant does not hold.",
};

/** Requests and shows the view of the position. Returns whether it succeeded, or `null` if a newer request has replaced it. */
async function look() {
  asked += 1;
  const own = asked;
  const view = await looking.ask({ ask: "look", ...position() });
  if (own !== asked) return null;
  answered = own;
  if (view.is === "refused") {
    const lines = (view.findings ?? []).slice(0, 5).map((one) => `${one.text} ${one.place[0]}:${one.place[1]}: ${one.message}`);
    say([view.message, ...lines].join("\n"), "bad");
    if (view.step !== undefined) { now.walk.length = view.step; now.step = view.step; }
    return false;
  }
  now.view = view;
  draw();
  return true;
}

const picture = new Picture(at("picture"), {
  take: (action) => take([action.text]),
  choose: (actions, event) => (now.view.together > 1 ? drawActions() : menu(actions, event)),
  picked: () => drawActions(),
});

function draw() {
  const { view } = now;
  remember();
  document.title = `${view.title} – Herbrand`;
  closeMenu();
  chosen = new Set();
  picture.show(view);
  const whole = now.walk.length;
  at("time").max = String(whole);
  at("time").value = String(now.step);
  at("count").textContent = `step ${now.step}${whole > now.step ? ` of ${whole}` : ""}`;
  at("undo").disabled = at("first").disabled = now.step === 0;
  at("redo").disabled = now.step === whole;
  const reward = `reward ${rounded(view.reward)}${view.cost === null ? "" : `, cost ${rounded(view.cost)}`}`;
  const last = now.step > 0 ? `${now.walk[now.step - 1].join(", ") || "nothing"}: ` : "";
  const status = STATUS[view.status] ?? "";
  say(`${last}${reward}${status ? `\n${status}` : ""}`, view.status === "goal" ? "good" : "");
  drawActions();
  drawNumbers();
  tellAhead();
  at("wanted").hidden = view.goal.length === 0;
  const done = view.goal.filter((part) => part.satisfied).length;
  at("goal-count").textContent = view.goal.length ? `${done} of ${view.goal.length}` : "";
  list(at("goal"), view.goal, (line, part) => { line.textContent = brief(part.text); line.className = part.satisfied ? "done" : ""; });
  const changes = [...view.added.map((text) => [text, "new"]), ...view.removed.map((text) => [text, "gone"])];
  list(at("changes"), changes, (line, [text, kind]) => { line.textContent = brief(text); line.className = kind; });
  at("effects").textContent = brief(view.effects) || "no effects";
  at("fact-count").textContent = String(view.fact_count);
  list(at("facts"), view.facts, (line, text) => { line.textContent = brief(text); });
}

/** Empties the view of a problem that could not be opened, so that nothing of the problem before it is taken for it. */
function blank() {
  const isOwn = "texts" in now.problem;
  document.title = "Herbrand";
  closeMenu();
  chosen = new Set();
  picture.blank(isOwn
    ? "These files have faults, so there is nothing to play. The faults are listed below and under Edit."
    : "This problem could not be opened.");
  for (const id of ["actions", "goal", "changes", "facts", "numbers"]) at(id).replaceChildren();
  for (const id of ["action-count", "goal-count", "effects", "fact-count", "count"]) at(id).textContent = "";
  at("wanted").hidden = at("together").hidden = true;
  at("undo").disabled = at("redo").disabled = at("first").disabled = true;
  at("time").max = "0";
  tellAhead();
}

/** Says under the picture if the files under Edit are no longer those that are played. */
function tellAhead() {
  const ahead = now.view && workshop.ahead();
  at("ahead").hidden = !ahead;
  if (!ahead) return;
  const { errors } = ahead;
  at("ahead").textContent = errors
    ? `The files under Edit have ${errors} error${errors === 1 ? "" : "s"}. This is still the problem as it was before.`
    : "The files under Edit have changed. This is still the problem as it was before: press Play there to play them.";
  at("ahead").className = errors ? "bad" : "";
}

/** Formats a number with at most four digits after the point, or four significant ones if it is small. */
const rounded = (number) => (number === null ? "not a number" : String(Number(number.toFixed(4)) || Number(number.toPrecision(4))));
/** Rounds the long numbers in a text. */
const brief = (text) => text.replace(/-?\d+\.\d{5,}(?:e[-+]?\d+)?/gi, (digits) => rounded(Number(digits)));

const wordsOf = (text) => text.toLowerCase().replace(/[()]/g, " ").split(/\s+/).filter(Boolean);

/** Returns the valid actions that match the typed words and the objects picked in the picture. */
function fitting() {
  if (!now.view) return [];
  const words = wordsOf(at("find").value);
  const actions = naming(now.view.actions, picture.names);
  return actions.filter(({ text }) => words.every((word) => text.toLowerCase().includes(word)));
}

function drawActions() {
  const { view } = now;
  if (!view) return;
  const actions = fitting();
  const several = view.together > 1 || view.numbers.length > 0;
  const picked = picture.names.length ? ` with ${picture.names.join(", ")}` : "";
  at("action-count").textContent = `${actions.length}${picked}${actions.length < view.action_count ? ` of ${view.action_count}` : ""}`;
  if (view.language === "rddl") at("action-count").textContent += `; valid joint actions: ${view.joint_actions}`;
  list(at("actions"), actions.slice(0, 300), (line, action) => {
    const button = document.createElement("button");
    button.textContent = action.text;
    if (several) button.setAttribute("aria-pressed", String(chosen.has(action.text)));
    button.classList.toggle("on", chosen.has(action.text));
    button.onclick = () => (several ? toggle(action.text) : take([action.text]));
    line.append(button);
  });
  at("together").hidden = !several && view.language !== "rddl";
  at("together").textContent = chosen.size || numbers().length ? "Take this step" : "Take a step without an action";
}

function toggle(text) {
  if (!chosen.delete(text)) {
    // A field has a single value.
    const field = text.split("=")[0];
    for (const other of chosen) if (other.split("=")[0] === field) chosen.delete(other);
    if (now.view.together <= 1) chosen.clear();
    chosen.add(text);
  }
  drawActions();
}

function drawNumbers() {
  const place = at("numbers");
  place.replaceChildren(...now.view.numbers.map((number) => {
    const label = document.createElement("label");
    const input = document.createElement("input");
    Object.assign(input, { type: "number", placeholder: rounded(number.default), step: number.whole ? "1" : "any" });
    if (number.low !== null) input.min = String(number.low);
    if (number.high !== null) input.max = String(number.high);
    input.dataset.name = number.name;
    input.oninput = () => drawActions();
    input.onkeydown = (event) => { if (event.key === "Enter") together(); };
    const range = [number.low, number.high].map((bound) => (bound === null ? "…" : rounded(bound)));
    label.append(`${number.name} (${range.join(" to ")})`, input);
    return label;
  }));
}

const numbers = () => [...at("numbers").querySelectorAll("input")].filter(({ value }) => value !== "").map((input) => `${input.dataset.name}=${input.value}`);
const together = () => take([...chosen, ...numbers()]);

/** Takes a step and discards the later steps of the walk. Does nothing while a view is awaited: the action belongs to the old one. */
async function take(joint, { keepWatching = false } = {}) {
  if (!now.view || answered !== asked) return false;
  if (!keepWatching) stop();
  const before = { walk: now.walk, step: now.step };
  now.walk = [...now.walk.slice(0, now.step), joint];
  now.step += 1;
  const done = await look();
  if (done === null) return false;
  if (!done && now.view) {
    const said = at("said").textContent;
    Object.assign(now, before);
    say(said, "bad");
  } else {
    at("find").value = "";
    drawActions();
  }
  return done;
}

async function goTo(step) {
  if (!now.view) return;
  stop();
  now.step = Math.max(0, Math.min(now.walk.length, step));
  await look();
}

/**
 * Takes the typed action, or shows why it is invalid. Words in any order take the only valid action that contains them, but a
 * whole action takes only itself: one in parentheses, or all words of an action.
 */
async function typed() {
  const text = at("find").value.trim();
  if (!text || !now.view) return;
  const words = wordsOf(text);
  const same = (one, other) => one.join(" ") === other.join(" ");
  const actions = fitting();
  const exact = actions.find((action) => same(wordsOf(action.text), words));
  const isReordered = ({ text: found }) => same(wordsOf(found).sort(), [...words].sort());
  const isWhole = /^\(.*\)$/.test(text) || actions.some(isReordered);
  if (exact || (actions.length === 1 && !isWhole)) { await take([(exact ?? actions[0]).text]); return; }
  if (actions.length > 1 && !isWhole) { at("actions").querySelector("button")?.focus(); return; }
  const action = now.view.language === "rddl" || text.startsWith("(") ? text : `(${text})`;
  const reply = await ask({ ask: "explain", ...position(), action: [action] });
  // The explanation of an unknown name begins with the action.
  const why = reply.text?.startsWith(action.toLowerCase()) ? reply.text : `${action}: ${reply.text}`;
  say(reply.is === "why" ? why : reply.message, "bad");
}

async function hint() {
  if (!now.view) return;
  say("Searching for the next step…");
  const reply = await ask({ ask: "hint", ...position() });
  if (reply.is !== "plan") { say(reply.message, "bad"); return; }
  const [step] = reply.steps;
  say(step ? `Try ${step.join(", ") || "a step without an action"}. ${reply.text}` : reply.text, step ? "good" : "bad");
  for (const button of at("actions").querySelectorAll("button")) {
    const hinted = step?.includes(button.textContent) ?? false;
    button.classList.toggle("hinted", hinted);
    if (hinted) button.scrollIntoView({ block: "nearest" });
  }
}

/** Requests a plan and takes its steps in order, until the user does something else. */
async function plan() {
  if (watched) { stop(); return; }
  if (!now.view) return;
  say("Searching for a plan…");
  const own = {};
  watched = own;
  at("plan").textContent = "Stop";
  let again = true;
  while (again && watched === own) {
    again = false;
    const reply = await planning.ask({ ask: "plan", ...position() });
    if (watched !== own) return;
    if (reply.is !== "plan" || reply.steps.length === 0) { say(reply.text ?? reply.message, "bad"); break; }
    for (const joint of reply.steps) {
      await new Promise((done) => { setTimeout(done, 450); });
      if (watched !== own) return;
      if (!await take(joint, { keepWatching: true })) { again = now.view.status === "running"; break; }
      if (now.view.status !== "running") break;
    }
  }
  if (watched === own) stop();
}

function stop() {
  watched = null;
  planning.stop();
  at("plan").textContent = "Plan";
}

// Offers several actions in a menu at the click.
function menu(actions, event) {
  const place = at("menu");
  list(place, actions.slice(0, 60), (line, action) => {
    const button = document.createElement("button");
    button.setAttribute("role", "menuitem");
    button.textContent = action.text;
    button.onclick = () => { closeMenu(); take([action.text]); };
    line.append(button);
  });
  place.hidden = false;
  const width = Math.min(place.offsetWidth, document.documentElement.clientWidth - 16);
  const left = Math.max(8, Math.min(event.pageX + 6, document.documentElement.clientWidth - width - 8));
  Object.assign(place.style, { left: `${left}px`, top: `${event.pageY + 6}px` });
  event.stopPropagation();
}

function closeMenu() { at("menu").hidden = true; }

function walkThrough(buttons, key) {
  const all = [...buttons];
  const here = all.indexOf(document.activeElement);
  const next = { ArrowDown: here + 1, ArrowUp: here - 1, Home: 0, End: all.length - 1 }[key];
  if (next === -1 && here === 0) { at("find").focus(); return; }
  all[Math.max(0, Math.min(all.length - 1, next))]?.focus();
}

// Domains and problems.

/** Opens a problem and returns whether it succeeded. `name` is the name of the texts, if they are the user's own. */
async function choose(problem, { name = null, seed = 0, walk = [], step = walk.length, note = "" } = {}) {
  stop();
  const own = "texts" in problem ? name ?? nameFor(problem.texts) : null;
  Object.assign(now, { problem, name: own, seed, walk, step, view: null });
  remember();
  at("seed").value = String(seed);
  at("find").value = "";
  showChoice();
  say("Opening the problem…");
  const done = await look();
  if (done === false && !now.view) blank();
  if (done && note) say(note, "bad");
  inside.clear();
  return done;
}

/** Opens the user's texts with this name if the browser has stored them, or else a template. */
async function openOwn(name) {
  await choose({ texts: kept(name)?.texts ?? TEMPLATE }, { name });
  show("edit");
}

const OWN_VALUE = "own:";

function showChoice() {
  const { problem } = now;
  const domain = domains.find((one) => one.name === problem.domain);
  offer();
  at("domain").value = domain ? domain.name : OWN_VALUE + now.name;
  at("about").textContent = domain ? domain.description : descriptionIn(problem.texts) ?? "Your own files.";
  const own = () => new Option(problemIn(problem.texts) ?? now.name, now.name);
  const options = domain ? domain.problems.map((name) => new Option(name, name)) : [own()];
  at("problem").replaceChildren(...options);
  at("problem").value = domain ? problem.problem : now.name;
}

/** Lists the user's own texts, the domains of the server's folders, and all bundled domains. */
function offer() {
  const group = (label, options) => {
    const made = document.createElement("optgroup");
    made.label = label;
    made.append(...options);
    return made;
  };
  const options = (fits) => domains.filter(fits).map((one) => new Option(one.name, one.name));
  const bundled = (language) => options((one) => one.language === language && !one.own);
  const folders = options((one) => one.own);
  const own = new Set([OWN, ...names(), ...(now.name ? [now.name] : [])]);
  const chosenNow = at("domain").value;
  at("domain").replaceChildren(
    group("Yours", [...own].map((name) => new Option(kept(name)?.from ? `${name} (edited)` : name, OWN_VALUE + name))),
    ...(folders.length ? [group("Folders", folders)] : []),
    group("PDDL", bundled("pddl")),
    group("RDDL", bundled("rddl")),
  );
  at("domain").value = chosenNow;
}

// The other views.

const workshop = new Workshop({
  played: () => now,
  play: (problem, name, view = "play") => { show(view); return choose(problem, { name }); },
  listed: () => offer(),
});

const inside = {
  clear() { at("content").replaceChildren(); },
  async show(kind) {
    at("content").textContent = "…";
    const reply = await ask({ ask: kind, problem: now.problem });
    if (reply.is !== "inside") { at("content").textContent = reply.message; return; }
    const table = document.createElement("table");
    for (const [name, count] of reply.counts) {
      const row = table.insertRow();
      row.insertCell().textContent = name;
      row.insertCell().textContent = count.toLocaleString("en");
    }
    const sections = reply.sections.map((section) => {
      const details = document.createElement("details");
      const summary = document.createElement("summary");
      summary.textContent = `${section.title} (${section.count.toLocaleString("en")})`;
      const text = document.createElement("pre");
      text.tabIndex = 0;
      const left = section.count - section.lines.length;
      text.textContent = section.lines.join("\n") + (left > 0 ? `\n… and ${left} more` : "");
      details.append(summary, text);
      return details;
    });
    if (sections[0]) sections[0].open = true;
    at("content").replaceChildren(table, ...sections);
  },
};

const VIEWS = ["play", "edit", "inside"];

function show(view) {
  for (const name of VIEWS) {
    at(name).hidden = name !== view;
    at(`tab-${name}`).setAttribute("aria-selected", String(name === view));
    at(`tab-${name}`).tabIndex = name === view ? 0 : -1;
  }
  remember();
  if (view === "edit") workshop.open();
  if (view === "play") tellAhead();
  if (view === "inside" && !at("content").hasChildNodes()) inside.show("ground");
}

// Sharing.

async function saveWalk() {
  const reply = await ask({ ask: "trace", problem: now.problem, seed: now.seed, walk: now.walk });
  if (reply.is === "trace") save(reply.name, reply.text);
  else say(reply.message, "bad");
}

async function savePlayed() {
  const reply = await ask({ ask: "texts", problem: now.problem });
  if (reply.is === "texts") saveTexts(reply.texts, reply.language);
  else say(reply.message, "bad");
}

async function copyLink() {
  const made = link({ problem: now.problem, seed: now.seed, walk: now.walk });
  if (!made) { say("The walk is too long for a link: save it as a file.", "bad"); return; }
  history.replaceState(null, "", made);
  try {
    await navigator.clipboard.writeText(made);
    say("The link is copied.", "good");
  } catch {
    say("The link is in the address bar.", "good");
  }
}

/** Opens files: a trace, or the texts of a problem, which are then stored in the browser, or a plan for the problem. */
async function openFiles(files) {
  const fail = (message) => { say(message, "bad"); workshop.say(message, "bad"); };
  const shown = await ask({ ask: "texts", problem: now.problem });
  const { texts, trace, plan: steps, fault } = await sorted(files, workshop.texts ?? shown.texts ?? TEMPLATE);
  if (fault) { fail(fault); return; }
  if (trace !== null) {
    const reply = await ask({ ask: "open-trace", text: trace, ...(texts && { texts }) });
    if (reply.is !== "walk") { fail(reply.message); return; }
    show("play");
    await choose(reply.problem, reply);
    return;
  }
  if (texts) {
    const name = nameFor(texts);
    const isKept = keep(name, { texts, from: null });
    const isPlayed = await choose({ texts }, { name });
    show(isPlayed && isKept ? "play" : "edit");
    if (!isPlayed) return;
  }
  if (steps !== null) await follow(planned(steps));
}

/** Takes the steps of a plan from the beginning, or says which step is not valid. */
async function follow(steps) {
  show("play");
  await choose(now.problem, { name: now.name, seed: now.seed });
  for (const [place, joint] of steps.entries()) {
    if (await take(joint)) continue;
    say(`Step ${place + 1} of the plan cannot be taken.\n${at("said").textContent}`, "bad");
    return;
  }
  if (now.view?.language === "pddl" && now.view.status !== "goal") say(`The plan ends here, after ${steps.length} steps. The goal is not reached.`, "bad");
}

/**
 * Stores the position for a reload: in the address, if it is short enough, and in the browser. When the page is being left, the
 * address stays unchanged, because a reload has already requested it.
 */
function keepNow(isLeft = false) {
  clearTimeout(keeping);
  keeping = null;
  const { problem, name, seed, walk, step } = now;
  if (!problem) return;
  if (!isLeft) history.replaceState(null, "", link({ problem, seed, walk }) ?? location.href.split("#")[0]);
  const view = VIEWS.find((one) => !at(one).hidden);
  keepPosition({ problem, name, seed, walk, step, view, address: location.href });
}

/** Stores the position after a delay, because browsers limit the rate of address changes. */
function remember() {
  if (document.documentElement.dataset.ready) keeping ??= setTimeout(() => keepNow(), 300);
}

// The controls.

at("domain").onchange = () => {
  const { value } = at("domain");
  if (value.startsWith(OWN_VALUE)) { openOwn(value.slice(OWN_VALUE.length)); return; }
  const domain = domains.find((one) => one.name === value);
  if (domain) choose({ domain: domain.name, problem: domain.problems[0] });
};
at("problem").onchange = () => now.problem.domain && choose({ domain: now.problem.domain, problem: at("problem").value });
at("first").onclick = () => goTo(0);
at("undo").onclick = () => goTo(now.step - 1);
at("redo").onclick = () => goTo(now.step + 1);
at("time").oninput = (event) => goTo(Number(event.target.value));
at("hint").onclick = hint;
at("plan").onclick = plan;
at("together").onclick = together;
at("save").onclick = saveWalk;
at("link").onclick = copyLink;
at("texts").onclick = savePlayed;
for (const id of ["open", "open-texts"]) {
  at(id).onchange = async ({ target }) => {
    const files = [...target.files];
    target.value = "";
    if (files.length) await openFiles(files);
  };
}
at("seed").onchange = (event) => choose(now.problem, { name: now.name, seed: Math.max(0, Math.floor(Number(event.target.value)) || 0) });
at("ground").onclick = () => inside.show("ground");
at("datalog").onclick = () => inside.show("datalog");
at("help").onclick = () => at("keys").showModal();
at("find").oninput = () => drawActions();
at("find").onkeydown = (event) => {
  if (event.key === "Enter") { event.preventDefault(); typed(); }
  if (event.key === "ArrowDown") { event.preventDefault(); at("actions").querySelector("button")?.focus(); }
};
for (const id of ["actions", "menu"]) {
  at(id).addEventListener("keydown", (event) => {
    if (!["ArrowDown", "ArrowUp", "Home", "End"].includes(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    walkThrough(at(id).querySelectorAll("button"), event.key);
  });
}
for (const name of VIEWS) {
  at(`tab-${name}`).onclick = () => show(name);
  at(`tab-${name}`).onkeydown = (event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    const next = VIEWS[(VIEWS.indexOf(name) + by + VIEWS.length) % VIEWS.length];
    show(next);
    at(`tab-${next}`).focus();
  };
}
document.addEventListener("click", (event) => { if (!at("menu").contains(event.target)) closeMenu(); });

const WORDS = { ArrowUp: ["up", "north"], ArrowDown: ["down", "south"], ArrowLeft: ["left", "west"], ArrowRight: ["right", "east"] };

/** Takes the action that contains the direction, or the cell in that direction from the agent, if there is exactly one. */
function arrow(key) {
  if (!now.view) return;
  const cell = now.view.beside[Object.keys(WORDS).indexOf(key)];
  const isCell = (word) => cell.length === 1 && cell[0] === word;
  const names = (text) => text.toLowerCase().split(/[^a-z]+/).some((word) => WORDS[key].includes(word));
  const leads = ({ text }) => names(text) || text.split(/[\s()]+/).some(isCell);
  const actions = now.view.actions.filter(leads);
  if (actions.length === 1) take([actions[0].text]);
  else if (actions.length === 0) say(`No valid action leads ${WORDS[key][0]}.`, "bad");
  else say(`Several actions lead ${WORDS[key][0]}: ${actions.map(({ text }) => text).join(" ")}`, "bad");
}

document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || at("keys").open) return;
  if (event.key === "Escape") { closeMenu(); picture.forget(); if (event.target === at("find")) at("find").blur(); return; }
  const { target } = event;
  if (target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement || (target instanceof HTMLInputElement && target.type !== "range")) return;
  if (["1", "2", "3"].includes(event.key)) { show(VIEWS[Number(event.key) - 1]); event.preventDefault(); return; }
  if (event.key === "?") { at("keys").showModal(); event.preventDefault(); return; }
  if (at("play").hidden || !now.view) return;
  // With an agent in the picture, arrow keys move it at once; elsewhere they scroll the page until the picture has the focus.
  const isMoved = target === at("picture") || (target === document.body && now.view.beside.some((cell) => cell.length > 0));
  if (isMoved && WORDS[event.key]) { event.preventDefault(); arrow(event.key); return; }
  if (target instanceof HTMLInputElement) return;
  const does = {
    "/": () => at("find").focus(),
    u: () => goTo(now.step - 1),
    r: () => goTo(now.step + 1),
    h: hint,
    p: plan,
    Home: () => goTo(0),
    End: () => goTo(now.walk.length),
    " ": target instanceof HTMLButtonElement ? null : plan,
  }[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (does) { event.preventDefault(); does(); }
});

addEventListener("hashchange", () => {
  const found = linked(location.hash);
  if (found) choose(found.problem, found);
});
addEventListener("pagehide", () => { if (keeping) keepNow(true); });

/**
 * Opens the first problem: the position of this tab before a reload, the problem in the address, or a bundled problem. A reload may
 * request an outdated address, because the address follows the position with a delay.
 */
async function begin() {
  const before = keptPosition();
  const isReload = performance.getEntriesByType("navigation")[0]?.type === "reload";
  if (before && (isReload || before.address === location.href)) {
    await choose(before.problem, before);
    show(VIEWS.includes(before.view) ? before.view : "play");
    return;
  }
  const found = linked(location.hash);
  if (found) { await choose(found.problem, found); return; }
  const folder = domains.find((one) => one.own);
  if (folder) { await choose({ domain: folder.name, problem: folder.problems[0] }); return; }
  await choose({ domain: "sokoban", problem: domains.find((one) => one.name === "sokoban")?.problems[2] ?? "train/01" });
}

at("engine").textContent = about;
const catalogue = await ask({ ask: "catalogue" });
if (catalogue.is === "catalogue") {
  domains = catalogue.domains;
  await begin();
  document.documentElement.dataset.ready = "true";
} else {
  say(catalogue.message, "bad");
}
