import * as vscode from "vscode";
import { LanguageClient, ServerOptions, TransportKind } from "vscode-languageclient/node";

let client: LanguageClient | undefined;
/** The picture beside the text, and the address of the problem that it shows. */
let panel: { view: vscode.WebviewPanel; uri: string } | undefined;

/** The part of an answer of the engine that a picture needs. */
interface View {
  is: string;
  title?: string;
  message?: string;
  picture?: { svg: string } | null;
  goal?: { text: string; satisfied: boolean }[];
}

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  context.subscriptions.push(
    vscode.commands.registerCommand("herbrand.showState", () => {
      const uri = vscode.window.activeTextEditor?.document.uri.toString();
      return uri === undefined ? undefined : show(uri);
    }),
    vscode.commands.registerCommand("herbrand.restart", () => client?.restart()),
    vscode.workspace.onDidChangeTextDocument(() => draw()),
    vscode.workspace.registerTextDocumentContentProvider("herbrand-explain", {
      provideTextDocumentContent: async (uri) => {
        const answer = await client?.sendRequest<{ text: string }>("workspace/textDocumentContent", { uri: uri.toString() });
        return answer?.text ?? "";
      },
    }),
  );
  const settings = vscode.workspace.getConfiguration("herbrand");
  const run = {
    command: settings.get<string>("path", "herbrand"),
    args: settings.get<string[]>("arguments", ["lsp"]),
    transport: TransportKind.stdio,
  };
  const server: ServerOptions = { run, debug: run };
  client = new LanguageClient("herbrand", "Herbrand", server, {
    documentSelector: [{ language: "pddl" }, { language: "rddl" }, { pattern: "**/env.toml" }],
    middleware: {
      executeCommand: async (command, given, next) => {
        if (command === "herbrand.picture") {
          return show(String(given[0]));
        }
        return next(command, given);
      },
    },
  });
  await client.start();
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}

/** Shows the initial state of a problem beside the text. */
async function show(uri: string): Promise<void> {
  if (panel === undefined) {
    const view = vscode.window.createWebviewPanel("herbrand", "State", { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true });
    view.onDidDispose(() => (panel = undefined));
    panel = { view, uri };
  }
  panel.uri = uri;
  await draw();
}

let drawing = false;
let stale = false;

/** Draws the state again. Edits during a drawing are drawn together after it. */
async function draw(): Promise<void> {
  if (panel === undefined || client === undefined) {
    return;
  }
  if (drawing) {
    stale = true;
    return;
  }
  drawing = true;
  try {
    do {
      stale = false;
      const view = await client.sendRequest<View>("herbrand/ask", { uri: panel.uri, ask: "look", walk: [] });
      if (panel === undefined) {
        return;
      }
      if (view.is === "view") {
        panel.view.title = view.title ?? "State";
        panel.view.webview.html = page(view);
      }
    } while (stale);
  } catch {
    // A faulty text has no state: the last picture stays, and the faults are in the text.
  } finally {
    drawing = false;
  }
}

function page(view: View): string {
  const escape = (text: string) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;");
  const goal = (view.goal ?? []).map((part) => `<li>${part.satisfied ? "✓" : "·"} ${escape(part.text)}</li>`).join("");
  const policy = "default-src 'none'; style-src 'unsafe-inline'";
  const style = "body { color: var(--vscode-foreground) } svg { max-width: 100%; height: auto } ul { list-style: none; padding: 0 }";
  return `<!doctype html><meta http-equiv="Content-Security-Policy" content="${policy}"><style>${style}</style>
    ${view.picture?.svg ?? "<p>The state has too many objects for a picture.</p>"}<ul>${goal}</ul>`;
}
