import assert from "node:assert/strict";

/** Starts an instance of the first definition that can be started like an earlier one; answers its id. */
async function start(t) {
  const { body: definitions } = await t.call("GET", "/definitions");
  for (const { type, startable } of definitions) {
    if (!startable) continue;
    const { body: definition } = await t.call("GET", `/definitions/${encodeURIComponent(type)}`);
    if (!definition.inputExample) continue;
    const { status, body } = await t.call("POST", "/instances", { type, input: JSON.parse(definition.inputExample) });
    assert.equal(status, 201, JSON.stringify(body));
    return String(body.id);
  }
  assert.fail("no definition has an example of its input");
}

const row = (tab, id) => tab.locator("tbody").getByRole("link", { name: id, exact: true });

/** Makes the page believe that its tab is shown or hidden; without a screen no tab ever is. */
const show = (page, visible) =>
  page.evaluate((state) => {
    Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  }, visible ? "visible" : "hidden");

export default {
  async "a new instance shows without a reload, in two tabs over one connection"(t) {
    let connections = 0;
    t.context.on("request", (request) => {
      if (new URL(request.url()).pathname.endsWith("/api/v1/events")) connections += 1;
    });
    const page = await t.open("instances", "Instances");
    await page.getByText("Live", { exact: true }).waitFor();
    const other = await t.open("instances", "Instances", await t.newPage());
    await other.getByText("Live", { exact: true }).waitFor();
    const id = await start(t);
    for (const tab of [page, other]) await row(tab, id).waitFor();
    assert.equal(connections, 1);
  },

  async "a hidden tab rests, and catches up when it is shown"(t) {
    const page = await t.open("instances", "Instances");
    await page.getByText("Live", { exact: true }).waitFor();
    await show(page, false);
    await page.getByText("Hidden", { exact: true }).waitFor();
    const id = await start(t);
    await page.waitForTimeout(4_500); // longer than any update takes: nothing may come
    assert.equal(await row(page, id).count(), 0);
    await show(page, true);
    await row(page, id).waitFor();
    await page.getByText("Live", { exact: true }).waitFor();
  },

  async "a server that is gone is told of, and missed no longer when it is back"(t) {
    const page = await t.open("instances", "Instances");
    await page.locator("tbody .badge").first().waitFor();
    await page.route("**/api/v1/**", (route) => route.abort());
    await page.getByRole("button", { name: "Read again" }).click();
    await page.getByRole("alert").getByText("The server does not answer.").waitFor();
    assert.ok((await page.locator("tbody .badge").count()) > 0, "what was read stays");
    await page.unroute("**/api/v1/**");
    await page.getByRole("button", { name: "Read again" }).click();
    await page.getByText("The server does not answer.").waitFor({ state: "detached" });
  },

  async "paused updates wait until they are resumed"(t) {
    const page = await t.open("instances", "Instances");
    await page.getByText("Live", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Pause live updates" }).click();
    await page.getByText("Paused", { exact: true }).first().waitFor();
    const id = await start(t);
    await page.waitForTimeout(4_500); // longer than any update takes: nothing may come
    assert.equal(await row(page, id).count(), 0);
    await page.getByRole("button", { name: "Resume live updates" }).click();
    await row(page, id).waitFor();
  },

  // As when the server was upgraded while the page was open: the names of its files hold other hashes by now.
  async "a part of the pages that is gone is loaded with the page anew"(t) {
    t.allow(404, /\/assets\/alwaysOn-/);
    const page = await t.open("", "Overview");
    let gone = true;
    let loads = 0;
    page.on("load", () => (loads += 1));
    await page.route("**/assets/alwaysOn-*", (route) => (gone ? route.fulfill({ status: 404, body: "" }) : route.fallback()));
    await page.route("**/always-on", (route) => {
      gone = false; // the page itself is that of the new version
      return route.fallback();
    });
    await page.getByRole("link", { name: "Always on" }).click();
    await page.getByRole("heading", { name: "Always on", level: 1 }).waitFor();
    await page.getByRole("row", { name: /till-watch/ }).waitFor();
    assert.equal(loads, 1, "once");
  },
};
