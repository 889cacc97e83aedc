// Walks through the pages of a running server in a real browser.
//
//   MILLRACE_URL=http://127.0.0.1:7500/ MILLRACE_USER=admin MILLRACE_PASSWORD=... npm run journeys [part of a name]
//
// CHROMIUM names the browser's program. A journey fails on a missing element, an error in the console,
// an answer of 400 or more that it did not announce, a breach of the content security policy, or a
// serious finding of axe. A failed journey runs once more, since a busy machine slows the browser down;
// both results are printed. Screenshots and failures go to the folder output.
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { chromium } from "playwright-core";
import { logIn, Traveller } from "./traveller.mjs";

const { MILLRACE_URL, MILLRACE_USER, MILLRACE_PASSWORD, CHROMIUM = "/usr/bin/chromium" } = process.env;
if (!MILLRACE_URL || !MILLRACE_USER || !MILLRACE_PASSWORD) {
  console.error("error: set MILLRACE_URL, MILLRACE_USER and MILLRACE_PASSWORD to those of a running server");
  process.exit(2);
}
const server = { url: MILLRACE_URL.replace(/\/*$/, "/"), user: MILLRACE_USER, password: MILLRACE_PASSWORD };
const output = new URL("../output/", import.meta.url);
rmSync(output, { recursive: true, force: true });
mkdirSync(output, { recursive: true });

const wanted = process.argv[2]?.toLowerCase() ?? "";
const files = readdirSync(new URL(".", import.meta.url)).filter((name) => name.endsWith(".journey.mjs")).sort();
// Journeys that touch different instances run in parallel; those about failed instances run in the last group.
const groups = [["xss"], ["continuous", "audit", "calendar", "channels", "definitions", "executors", "flows", "keyValues", "live", "login", "maintenance", "periodLedger", "reduce", "settings"], []].map((parts) => ({
  parts,
  journeys: [],
}));
for (const file of files) {
  const { default: all } = await import(new URL(file, import.meta.url));
  const part = file.replace(".journey.mjs", "");
  const { journeys } = groups.find(({ parts }) => parts.includes(part)) ?? groups.at(-1);
  for (const [name, run] of Object.entries(all)) journeys.push({ name: `${part}: ${name}`, run });
}

const browser = await chromium.launch({
  executablePath: CHROMIUM,
  args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
});
// Logins are rate-limited, so all journeys except those about logins share one session.
const session = await logIn(browser, server);
let passed = 0;
let failed = 0;
/** Runs one journey; returns true if it succeeds. */
async function walk({ name, run }, outcomes) {
  const traveller = await Traveller.begin(browser, server, session, name, output);
  const started = Date.now();
  try {
    await run(traveller);
    traveller.check();
    console.log(`  ${outcomes.passed} ${name} (${Date.now() - started} ms)`);
    return true;
  } catch (error) {
    await traveller.shot(outcomes.failed).catch(() => undefined);
    console.log(`  ${outcomes.failed} ${name}\n${String(error?.stack ?? error).replace(/^/gm, "        ")}`);
    for (const fault of traveller.faults) console.log(`        also: ${fault}`);
    return false;
  } finally {
    await traveller.end();
  }
}
async function travel(journey) {
  const done =
    (await walk(journey, { passed: "ok   ", failed: "again" })) ||
    (await walk(journey, { passed: "twice", failed: "FAIL " }));
  if (done) passed += 1;
  else failed += 1;
}
await Promise.all(
  groups.map(async ({ journeys }) => {
    for (const journey of journeys.filter(({ name }) => name.toLowerCase().includes(wanted))) await travel(journey);
  }),
);
await browser.close();
console.log(`${passed} journeys passed, ${failed} failed`);
process.exit(failed > 0 || passed === 0 ? 1 : 0);
