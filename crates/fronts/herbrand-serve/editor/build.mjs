// Writes ../assets/codemirror.js: CodeMirror as one minified module, with the licences of all packages in it.
import { readFile, readdir, writeFile } from "node:fs/promises";
import { build } from "esbuild";

const OUT = "../assets/codemirror.js";

const made = await build({
  entryPoints: ["src/codemirror.js"],
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  charset: "utf8",
  legalComments: "none",
  metafile: true,
  write: false,
});

/** The names of the packages in the bundle. */
const packages = new Set();
for (const path of Object.keys(made.metafile.inputs)) {
  const name = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1];
  if (name) packages.add(name);
}

/** The packages under each text of a licence. */
const licences = new Map();
for (const name of [...packages].sort()) {
  const folder = `node_modules/${name}`;
  const { version } = JSON.parse(await readFile(`${folder}/package.json`, "utf8"));
  const file = (await readdir(folder)).find((one) => /^licen[cs]e/i.test(one));
  if (!file) throw new Error(`${name} has no text of a licence`);
  const text = (await readFile(`${folder}/${file}`, "utf8")).trim();
  licences.set(text, [...(licences.get(text) ?? []), `${name} ${version}`]);
}
const head = [...licences].map(([text, names]) => `${names.join(", ")}\n\n${text}`).join("\n\n");
const text = `/*! Built by crates/fronts/herbrand-serve/editor. It contains:\n\n${head}\n*/\n${made.outputFiles[0].text}`;
await writeFile(OUT, text);
console.log(`${OUT}: ${text.length} characters, ${packages.size} packages`);
