import assert from "node:assert/strict";

/** Starts an order; returns its id. */
async function start(t) {
  const { status, body } = await t.call("POST", "/instances", { type: "order", input: await t.orderInput() });
  assert.equal(status, 201, JSON.stringify(body));
  return String(body.id);
}

const row = (tab, id) => tab.locator("tbody").getByRole("link", { name: id, exact: true });

/** Makes the page believe that its tab is shown or hidden, which a headless browser cannot do. */
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

  async "a hidden tab does not update, and catches up when it is shown"(t) {
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

  async "an unreachable server is reported until it is back"(t) {
    const page = await t.open("instances", "Instances");
    await page.locator("tbody .badge").first().waitFor();
    await page.route("**/api/v1/**", (route) => route.abort());
    await page.getByRole("button", { name: "Refresh" }).click();
    await page.getByRole("alert").getByText("The server does not answer.").waitFor();
    assert.ok((await page.locator("tbody .badge").count()) > 0, "what was read stays");
    await page.unroute("**/api/v1/**");
    await page.getByRole("button", { name: "Refresh" }).click();
    await page.getByText("The server does not answer.").waitFor({ state: "detached" });
  },

  async "an error of several parts of a page is shown once"(t) {
    t.allow(503, /./);
    const { page } = t;
    const parts = /\/api\/v1\/(failures|problems|bulk)(\?|$)/;
    const detail = "It refuses connections.";
    let away = true;
    await page.route(parts, (route) =>
      away
        ? route.fulfill({ status: 503, contentType: "application/problem+json", json: { type: "unavailable", title: "The database does not answer", status: 503, detail } })
        : route.fallback(),
    );
    await t.open("problems", "Problems");
    await page.getByRole("alert").getByText("The database does not answer.").waitFor();
    assert.equal(await page.getByText(detail).count(), 1);
    assert.equal(await page.getByText("The database does not answer").count(), 1);
    await page.getByText("This part could not be loaded.").first().waitFor();
    assert.equal(await page.getByText("This part could not be loaded.").count(), 2);
    await t.accessible();
    await t.shot("once");
    away = false;
    await page.getByRole("button", { name: "Retry", exact: true }).first().click();
    await page.getByRole("region", { name: "Failure groups" }).getByRole("table").waitFor();
    // The other parts may load by themselves before they are requested.
    await t.until("all parts are there", async () => {
      const again = page.getByRole("button", { name: "Retry", exact: true }).first();
      if (await again.isVisible()) await again.click({ timeout: 1_000 }).catch(() => {});
      return (await page.getByText("The database does not answer").count()) === 0;
    });
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

  // As after an upgrade of the server while the page is open: the names of its files have other hashes now.
  async "a page whose code the server no longer has offers a reload"(t) {
    t.allow(404, /\/assets\/continuous-/);
    const page = t.page;
    let gone = true;
    let loads = 0;
    await page.route("**/assets/continuous-*", (route) => (gone ? route.fulfill({ status: 404, body: "" }) : route.fallback()));
    await t.open("", "Overview");
    page.on("load", () => (loads += 1));
    await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Continuous workflows" }).click();
    await page.getByText("The server has a newer version of this page").waitFor();
    assert.equal(loads, 0, "never by itself");
    gone = false;
    await page.getByRole("button", { name: "Reload" }).click();
    await page.getByRole("row", { name: /till-watch/ }).waitFor();
    assert.equal(loads, 1, "once");
  },

  async "a page whose code is not loaded yet waits for an unreachable server"(t) {
    const page = t.page;
    let away = false;
    await page.route("**/assets/flows-*", (route) => route.abort());
    await t.open("", "Overview");
    away = true;
    await page.route("**/api/v1/health/live", (route) => (away ? route.abort() : route.fallback()));
    await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Flows", exact: true }).click();
    await page.getByText("The server does not answer").first().waitFor();
    assert.ok(await page.getByRole("navigation", { name: "Pages" }).isVisible(), "the document stays");
    away = false;
    await page.unroute("**/assets/flows-*");
    await page.getByRole("heading", { name: "Flows", level: 1 }).waitFor();
  },

  async "other pages are loaded ahead, so that they open without the server"(t) {
    const part = (name) => t.page.waitForResponse((response) => name.test(response.url()));
    const loaded = Promise.all([part(/\/assets\/admin-.*\.js$/), part(/\/assets\/admin-.*\.css$/)]);
    const page = await t.open("", "Overview");
    await loaded;
    await page.route("**/assets/**", (route) => route.abort());
    await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Audit" }).click();
    await page.getByRole("heading", { name: "Audit", level: 1 }).waitFor();
  },
};
