// Fails when the built script and style files are too large after gzip: what is needed for the first page,
// and all of them together. See adr/0029-two-budgets-for-the-pages.md.
import { readdirSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const limits = { first: 240_000, all: 430_000 };
/** The files of the first page: the entry, the group with the overview, and its charts. */
const parts = ["index", "instances", "Plot"];

const dist = new URL("../dist/", import.meta.url);
const manifest = JSON.parse(readFileSync(new URL(".vite/manifest.json", dist), "utf8"));

function keyOf(part) {
  const key = Object.keys(manifest).find((each) => manifest[each].name === part && /\.js$/.test(manifest[each].file));
  if (!key) throw new Error(`The build has no part "${part}": name in tools/size.mjs what took its place.`);
  return key;
}

/** Returns the files of a chunk and of its static imports. */
function filesOf(key, seen = new Set()) {
  const chunk = manifest[key];
  if (seen.has(key)) return [];
  seen.add(key);
  return [chunk.file, ...(chunk.css ?? []), ...(chunk.imports ?? []).flatMap((each) => filesOf(each, seen))];
}

const first = new Set(parts.flatMap((part) => filesOf(keyOf(part))).map((file) => file.replace("assets/", "")));
const assets = new URL("assets/", dist);
const sizes = readdirSync(assets)
  .filter((name) => /\.(js|css)$/.test(name))
  .map((name) => ({ name, bytes: gzipSync(readFileSync(new URL(name, assets)), { level: 9 }).length }))
  .sort((a, b) => b.bytes - a.bytes);
const sum = (some) => some.reduce((total, { bytes }) => total + bytes, 0);
const totals = { first: sum(sizes.filter(({ name }) => first.has(name))), all: sum(sizes) };
for (const { name, bytes } of sizes) console.log(`${String(bytes).padStart(8)}  ${first.has(name) ? "first" : "     "}  ${name}`);
console.log(`${String(totals.first).padStart(8)}  for the first page, of ${limits.first} bytes`);
console.log(`${String(totals.all).padStart(8)}  in total, of ${limits.all} bytes`);
if (sizes.length === 0 || totals.first > limits.first || totals.all > limits.all) {
  console.error("The pages are too large, or were not built: run npm run build, and load rare parts lazily.");
  process.exit(1);
}
