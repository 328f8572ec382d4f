// Sends requests to the engine: to the server of the page, or to a worker inside the page.

const where = document.documentElement.dataset.engine;

/** A description of the engine for the user. */
export const about = where === "server"
  ? "Connected to the local server."
  : "The engine runs in this page; nothing leaves your machine.";

async function fromServer(request, signal) {
  try {
    const response = await fetch("api", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(request),
      signal,
    });
    return await response.json();
  } catch {
    const message = signal?.aborted ? "The request was stopped." : "The server does not respond.";
    return { is: "refused", kind: "limit", message };
  }
}

let worker = null;
let asked = 0;
const waiting = new Map();

function start() {
  worker = new Worker("worker.js", { type: "module" });
  worker.onmessage = ({ data: { number, reply } }) => {
    waiting.get(number)?.(JSON.parse(reply));
    waiting.delete(number);
  };
  // A trap leaves the memory of the worker in an unknown state, so the next request starts a new worker.
  worker.onerror = (event) => {
    event.preventDefault();
    worker.terminate();
    worker = null;
    const reply = { is: "refused", kind: "limit", message: "The engine ran out of memory or could not be loaded." };
    for (const done of waiting.values()) done(reply);
    waiting.clear();
  };
}

function fromWorker(request) {
  if (!worker) start();
  asked += 1;
  const number = asked;
  return new Promise((done) => {
    waiting.set(number, done);
    worker.postMessage({ number, request: JSON.stringify(request) });
  });
}

/** Sends a request and returns the reply; `herbrand-play` documents both. An optional `AbortSignal` cancels the server's work. */
export const ask = where === "server" ? fromServer : fromWorker;

/** Creates a channel for which only the latest request matters: `ask` and `stop` cancel the previous request. */
export function latest() {
  let current = null;
  const stop = () => { current?.abort(); current = null; };
  return {
    stop,
    ask(request) {
      stop();
      current = new AbortController();
      return ask(request, current.signal);
    },
  };
}
