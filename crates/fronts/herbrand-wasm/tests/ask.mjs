// Answers requests, one per line of standard input, by the engine whose file is named.
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { load } from "../../herbrand-serve/assets/wasm.js";

const engine = await load(await readFile(process.argv[2]));
for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${engine(line)}\n`);
}
