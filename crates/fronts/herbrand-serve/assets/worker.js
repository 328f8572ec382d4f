// Runs the engine in a worker, which answers requests in order without blocking the page.
import { load } from "./wasm.js";

const engine = fetch(new URL("herbrand.wasm", import.meta.url))
  .then((response) => response.arrayBuffer())
  .then(load);

onmessage = async ({ data: { number, request } }) => {
  try {
    postMessage({ number, reply: (await engine)(request) });
  } catch (error) {
    // Rethrown outside of the promise, because a rejected promise would not reach the page's `onerror`.
    setTimeout(() => { throw error; });
  }
};
