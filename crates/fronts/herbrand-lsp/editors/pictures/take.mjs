// Takes the pictures of docs/how-to/editor.md: the extension in code-server, seen by a headless Chromium.
//
//   (cd ../vscode && npm ci && npm run package)
//   npm install
//   node take.mjs CODE-SERVER PROGRAM DOMAINS OUT
//
// CODE-SERVER is the command that starts code-server, PROGRAM the path of `herbrand`, DOMAINS the folder of the bundled domains, and OUT the
// folder for the pictures. CHROMIUM names the browser if it is not `/usr/bin/chromium`.
import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import puppeteer from "puppeteer-core";

const [codeServer, program, domains, out] = process.argv.slice(2);
if (!out) throw new Error("usage: node take.mjs CODE-SERVER PROGRAM DOMAINS OUT");
const [command, ...before] = codeServer.split(" ");
const PORT = 8943;
/** The time in which the editor, the server and the engine have to show something, in milliseconds. */
const PATIENCE = 180_000;

const scratch = mkdtempSync(join(tmpdir(), "herbrand-pictures-"));
const folder = join(scratch, "sokoban");
cpSync(join(domains, "sokoban"), folder, { recursive: true });
const domain = join(folder, "domain.pddl");
// A predicate that is misspelled, and a variable that no parameter declares.
const faulty = readFileSync(domain, "utf8").replace("(clear ?to))", "(claer ?to))").replace("(player-at ?to)", "(player-at ?too)");
mkdirSync(join(folder, "faults"));
writeFileSync(join(folder, "faults", "domain.pddl"), faulty);
// A problem in which nobody can hold a key, and rules for a predicate that nothing needs.
cpSync("museum", join(folder, "museum"), { recursive: true });

const settings = {
  "herbrand.path": resolve(program),
  "workbench.colorTheme": "Default Light Modern",
  "workbench.startupEditor": "none",
  "workbench.activityBar.location": "hidden",
  "workbench.statusBar.visible": false,
  "workbench.layoutControl.enabled": false,
  "workbench.sideBar.location": "right",
  "security.workspace.trust.enabled": false,
  "window.commandCenter": false,
  "window.menuBarVisibility": "hidden",
  "breadcrumbs.enabled": false,
  "editor.minimap.enabled": false,
  "editor.fontSize": 13,
  "editor.hover.delay": 100,
  "git.enabled": false,
  "telemetry.telemetryLevel": "off",
};
const data = join(scratch, "data");
mkdirSync(join(data, "User"), { recursive: true });
writeFileSync(join(data, "User", "settings.json"), JSON.stringify(settings));
const places = ["--user-data-dir", data, "--extensions-dir", join(scratch, "extensions")];
execFileSync(command, [...before, ...places, "--install-extension", resolve("../vscode/herbrand.vsix")], { stdio: "inherit" });
const quiet = ["--auth", "none", "--disable-telemetry", "--disable-update-check", "--disable-workspace-trust", "--disable-getting-started-override"];
const server = spawn(command, [...before, ...places, ...quiet, "--bind-addr", `127.0.0.1:${PORT}`, folder], { stdio: "inherit" });

const wait = (milliseconds) => new Promise((done) => { setTimeout(done, milliseconds); });
let browser;
try {
  for (let tries = 0; ; tries += 1) {
    try { await fetch(`http://127.0.0.1:${PORT}/`); break; } catch (error) { if (tries > 240) throw error; await wait(500); }
  }
  browser = await puppeteer.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
    protocolTimeout: PATIENCE,
  });
  const page = await browser.newPage();
  page.setDefaultTimeout(PATIENCE);
  await page.setViewport({ width: 980, height: 480, deviceScaleFactor: 1 });

  /** Runs a command of the palette. */
  const run = async (text) => {
    await page.keyboard.press("F1");
    await page.waitForSelector(".quick-input-widget input");
    await page.keyboard.type(text);
    await wait(1500);
    await page.keyboard.press("Enter");
    await wait(1500);
  };
  /** Closes the list of files, which may open late. */
  const close = async () => {
    const isOpen = () => page.evaluate(() => (document.querySelector(".part.sidebar")?.offsetWidth ?? 0) > 0);
    for (let tries = 0; tries < 10 && await isOpen(); tries += 1) {
      await page.keyboard.down("Control");
      await page.keyboard.press("b");
      await page.keyboard.up("Control");
      await wait(1500);
    }
  };
  /** Opens the page with files; the last one is shown. */
  const open = async (...names) => {
    const payload = JSON.stringify(names.map((name) => ["openFile", `vscode-remote://127.0.0.1:${PORT}${join(folder, name)}`]));
    const address = new URLSearchParams({ folder, payload });
    await page.goto(`http://127.0.0.1:${PORT}/?${address}`, { waitUntil: "domcontentloaded" });
    await page.waitForSelector(".monaco-editor .view-line");
    await wait(3000);
    await close();
  };
  /** Returns the middle of the first place of a text in the editor. */
  const place = (text) => page.evaluate((wanted) => {
    for (const line of document.querySelectorAll(".monaco-editor .view-line")) {
      for (const span of line.querySelectorAll("span span")) {
        if (!span.textContent.replaceAll("\u00a0", " ").includes(wanted)) continue;
        const { x, y, width, height } = span.getBoundingClientRect();
        return [x + width / 2, y + height / 2];
      }
    }
    return null;
  }, text);
  const point = async (text) => {
    const [x, y] = await place(text);
    await page.mouse.move(x + 3, y);
    await page.mouse.move(x, y);
  };
  const shoot = async (name) => {
    const path = join(out, `editor-${name}.webp`);
    await page.screenshot({ path, type: "webp", quality: 82 });
    console.log(`wrote ${path}`);
  };

  await open("faults/domain.pddl");
  await page.waitForSelector(".squiggly-error");
  await point("claer");
  await page.waitForSelector(".monaco-hover:not(.hidden) .hover-contents");
  await wait(1500);
  await shoot("faults");

  await open("domain.pddl");
  await page.waitForSelector(".codelens-decoration a");
  await point("neighbor");
  await page.waitForSelector(".monaco-hover:not(.hidden) .hover-contents");
  await wait(1500);
  await shoot("hover");

  await page.mouse.move(5, 5);
  await page.keyboard.press("Escape");
  await page.setViewport({ width: 980, height: 640, deviceScaleFactor: 1 });
  await open("museum/p01.pddl", "museum/domain.pddl");
  await page.waitForSelector(".squiggly-warning");
  await run("Problems: Focus on Problems View");
  await wait(3000);
  await shoot("never");

  await page.setViewport({ width: 980, height: 480, deviceScaleFactor: 1 });
  await open("train/03.pddl");
  await page.waitForSelector(".codelens-decoration a");
  await run("Herbrand: Show the state");
  await wait(8000);
  await shoot("picture");
} catch (error) {
  const [page] = (await browser?.pages() ?? []).slice(-1);
  await page?.screenshot({ path: join(out, "failed.png") });
  throw error;
} finally {
  await browser?.close();
  server.kill();
  rmSync(scratch, { recursive: true, force: true });
}
