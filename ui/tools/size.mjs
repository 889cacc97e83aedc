// Fails when the built script and style files are larger than 350 kB after gzip.
import { readdirSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const limit = 350_000;
const assets = new URL("../dist/assets/", import.meta.url);
const sizes = readdirSync(assets)
  .filter((name) => /\.(js|css)$/.test(name))
  .map((name) => ({ name, bytes: gzipSync(readFileSync(new URL(name, assets)), { level: 9 }).length }))
  .sort((a, b) => b.bytes - a.bytes);
const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
for (const { name, bytes } of sizes) console.log(`${String(bytes).padStart(8)}  ${name}`);
console.log(`${String(total).padStart(8)}  in total, of ${limit} bytes`);
if (sizes.length === 0 || total > limit) {
  console.error("The pages are too large, or were not built: run npm run build, and load rare parts lazily.");
  process.exit(1);
}
