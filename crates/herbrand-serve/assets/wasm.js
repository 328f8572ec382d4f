// Loads the engine that `herbrand-wasm` is compiled to: a function from a request to its reply, both as JSON.

/** The engine in these bytes. */
export async function load(bytes) {
  const module = await WebAssembly.compile(bytes);
  const imports = { env: { herbrand_now: () => performance.now() } };
  // ascent asks a clock of wasm-bindgen's for times that nobody reads: nothing answers with zero.
  for (const { module: from, name } of WebAssembly.Module.imports(module)) {
    imports[from] ??= {};
    imports[from][name] ??= () => 0;
  }
  const { exports } = await WebAssembly.instantiate(module, imports);
  const [encoder, decoder] = [new TextEncoder(), new TextDecoder()];
  return (request) => {
    const sent = encoder.encode(request);
    const at = exports.herbrand_request(sent.length);
    new Uint8Array(exports.memory.buffer, at, sent.length).set(sent);
    const length = exports.herbrand_answer();
    const reply = new Uint8Array(exports.memory.buffer, exports.herbrand_reply(), length);
    return decoder.decode(reply);
  };
}
