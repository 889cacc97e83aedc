import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

const payloads = JSON.parse(
  readFileSync(
    new URL("../../server/src/test/resources/io/millrace/server/xss-payloads.json", import.meta.url),
    "utf8",
  ),
);
const tabs = ["Timeline", "History", "Variables", "Messages", "Logs", "Children", "Raw"];

/** Records every effect that a payload might have. */
function watch(t, page) {
  page.on("dialog", (dialog) => {
    t.faults.push(`a payload ran: ${dialog.type()} ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    const { origin } = new URL(request.url());
    if (origin !== "null" && origin !== new URL(t.server.url).origin) t.faults.push(`a payload asked ${request.url()}`);
  });
  page.on("framenavigated", (frame) => {
    if (frame !== page.mainFrame()) t.faults.push(`a payload made a frame: ${frame.url()}`);
  });
}

/** Acts on an instance; ignores a rejection of a name or of a late action. */
async function action(t, id, method, name, request) {
  const { status, body } = await t.call(method, `/instances/${id}/${name}`, request);
  assert.ok([204, 409].includes(status), `${name} with ${JSON.stringify(request)}: ${JSON.stringify(body)}`);
}

async function start(t, request) {
  const { status, body } = await t.call("POST", "/instances", { type: "order", ...request });
  assert.equal(status, 201, JSON.stringify(body));
  return body.id;
}

/** Starts an order whose keys and input are the payload, as is the reason why it fails or waits. */
async function plant(t, example, payload, number) {
  const id = await start(t, {
    businessKey: payload,
    externalId: `${number} ${Date.now()} ${payload}`,
    input: { ...example, number: payload, customer: payload, item: payload, address: payload },
  });
  await action(t, id, "POST", number % 2 ? "pause" : "cancel", { reason: payload });
  return id;
}

/** Runs an action for each item, with limited concurrency. */
async function each(all, action) {
  const rest = [...all.entries()];
  const worker = async () => {
    for (let next = rest.shift(); next; next = rest.shift()) await action(next[1], next[0]);
  };
  await Promise.all([worker(), worker(), worker(), worker()]);
}

/** Starts one instance with all payloads in its variables, its signals and its history. */
async function collect(t, example) {
  const id = await start(t, { input: example });
  await action(t, id, "POST", "pause", { reason: "to be edited" });
  await t.until("it is paused", async () => {
    const { body } = await t.call("GET", `/instances/${id}`);
    return body.status === "paused" || body.status;
  });
  await each(payloads, (payload) => action(t, id, "POST", "signals", { name: payload.slice(0, 100), payload: { [payload]: payload } }));
  for (const payload of payloads) {
    const name = payload.slice(0, 100);
    const set = { [name]: payload, [`in ${payload}`.slice(0, 100)]: { [payload]: [payload] } };
    await action(t, id, "PATCH", "variables", { set, reason: payload });
  }
  return id;
}

/** Checks that the payloads are on the page as text, and none of them as an element. */
async function harmless(page, where) {
  await page.locator(".loading").first().waitFor({ state: "detached" });
  const found = await page.evaluate(() =>
    [
      ...document.querySelectorAll(
        "script:not([src]), iframe, object, embed, base + base, form[action*='xss'], a[href^='javascript'], " +
          "[onerror], [onload], [onclick], [onmouseover], [onfocus]",
      ),
    ].map((element) => element.outerHTML.slice(0, 120)),
  );
  assert.deepEqual(found, [], where);
}

const views = [
  ["", "Overview"],
  ["problems", "Problems"],
  ["instances?limit=200", "Instances"],
  ["definitions", "Definitions"],
  ["definitions/order", "order"],
  ["executors", "Executors"],
  ["audit", "Audit"],
  ["settings", "Settings"],
];

export default {
  async "no payload in any text runs in any view"(t) {
    const page = await t.open("", "Overview");
    watch(t, page);
    // An action may be too late, and a text may not be valid as the name of a key.
    t.allow(409, /\/(pause|cancel|signals|variables)$/);
    t.allow(400, /\/keys$/);
    const example = await t.orderInput();
    const collected = await collect(t, example);
    const ids = [];
    await each(payloads, async (payload, number) => {
      ids[number] = await plant(t, example, payload, number);
      await t.call("POST", "/keys", { name: payload.slice(0, 100), role: "viewer" });
    });

    for (const [path, title] of views) {
      await t.open(path, title);
      await harmless(page, title);
    }
    await t.open("definitions/order", "order");
    await page.getByRole("button", { name: "Start", exact: true }).first().click();
    await page.getByRole("dialog").getByRole("group", { name: /^Input/ }).waitFor();
    await harmless(page, "start form");
    await page.getByRole("dialog").getByRole("button", { name: "As JSON" }).click();
    await harmless(page, "start form");

    for (const id of [collected, ids.at(-1)]) {
      await t.open(`instances/${id}`, new RegExp(`order ${id}`));
      for (const tab of tabs) {
        await page.getByRole("tab", { name: tab }).click();
        await page.getByRole("tabpanel", { name: tab }).waitFor();
        await harmless(page, `${tab} of ${id}`);
      }
    }
    const second = await t.newPage();
    watch(t, second);
    await t.open("", "Overview", second);
    const half = async (own, from) => {
      for (let number = from; number < ids.length; number += 2) {
        await t.turn(`instances/${ids[number]}`, new RegExp(`order ${ids[number]}`), own);
        await harmless(own, payloads[number]);
      }
    };
    await Promise.all([half(page, 0), half(second, 1)]);
    await t.open(`instances/${collected}?tab=variables`, new RegExp(`order ${collected}`));
    await page.getByText(payloads[0], { exact: true }).first().waitFor();
  },

  async "a filter shows what was typed as text"(t) {
    const page = await t.open("instances", "Instances");
    watch(t, page);
    for (const payload of payloads.filter((_, number) => number % 8 === 0)) {
      await t.turn(`instances?${new URLSearchParams({ key: payload })}`, "Instances");
      await page.getByRole("button", { name: `Remove the filter key: ${payload}`, exact: true }).waitFor();
      await harmless(page, payload);
    }
  },
};
