// The engine in a page: requests are answered one after the other, away from the page's own thread.
import { load } from "./wasm.js";

const engine = fetch(new URL("herbrand.wasm", import.meta.url))
  .then((response) => response.arrayBuffer())
  .then(load);

onmessage = async ({ data: { number, request } }) => {
  try {
    postMessage({ number, reply: (await engine)(request) });
  } catch (error) {
    // An error in a promise would not reach the page.
    setTimeout(() => { throw error; });
  }
};
