// Loads the engine compiled from `herbrand-wasm`.

/** Instantiates the engine in these bytes. Returns a function from a request to its reply, both as JSON. */
export async function load(bytes) {
  const module = await WebAssembly.compile(bytes);
  const imports = { env: { herbrand_now: () => performance.now() } };
  // ascent imports a clock from wasm-bindgen, but its times are not used, so these imports return zero. The exception is the number of
  // reserved object ids, which must be large.
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
