// Loads the engine that `herbrand-wasm` is compiled to: a function from a request to its reply, both as JSON.

/** The engine in these bytes. */
export async function load(bytes) {
  const module = await WebAssembly.compile(bytes);
  const imports = { env: { herbrand_now: () => performance.now() } };
  // ascent asks a clock of wasm-bindgen's for times that nobody reads: its functions answer with zero. One of them says how many
  // numbers of objects are fixed, and wants that to be many.
  const stub = (name) => (name === "__wbindgen_externref_statics_end" ? () => 4096 : () => 0);
  for (const { module: from, name } of WebAssembly.Module.imports(module)) {
    imports[from] ??= {};
    imports[from][name] ??= stub(name);
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
