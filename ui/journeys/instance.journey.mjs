import assert from "node:assert/strict";

/** Returns the newest instance that matches a query of the list. */
async function find(t, query) {
  const { status, body } = await t.call("GET", `/instances?${query}&limit=1`);
  assert.equal(status, 200, JSON.stringify(body));
  assert.ok(body.items.length, `no instance for ${query}`);
  return body.items[0];
}

const openInstance = (t, { id, type }, query = "") => t.open(`instances/${id}${query}`, new RegExp(`${type} ${id}`));

const statusIs = (t, id, wanted) =>
  t.until(`instance ${id} is ${wanted}`, async () => {
    const { body } = await t.call("GET", `/instances/${id}`);
    return body.status === wanted || body.status;
  });

/** Starts a copy of an earlier order, and waits until it awaits its payment. */
async function freshOrder(t) {
  await t.open("", "Overview");
  // The newest orders may be those of another journey, with odd input.
  const before = new Date(Date.now() - 600_000).toISOString();
  const { id } = await find(t, `type=order&createdTo=${before}`);
  const { body: model } = await t.call("GET", `/instances/${id}`);
  const { body } = await t.call("POST", "/instances", { type: "order", input: JSON.parse(model.input) });
  await t.until("the order waits for its payment", async () => {
    const { body: instance } = await t.call("GET", `/instances/${body.id}`);
    return instance.waitingFor === "signal:paid" || `${instance.status} in ${instance.state}`;
  });
  return { id: body.id, type: "order" };
}

/** Opens an action from the menu, and confirms it with a reason. */
async function confirm(page, item, button, reason) {
  await page.getByRole("button", { name: "Actions" }).click();
  await page.getByRole("menuitem", { name: item }).click();
  if (reason) await page.getByRole("dialog").getByLabel(/^Reason/).fill(reason);
  await page.getByRole("dialog").getByRole("button", { name: button, exact: true }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
}

export default {
  async "an instance says why it waits, and a signal moves it on while its page is open"(t) {
    const order = await freshOrder(t);
    const page = await openInstance(t, order);
    await page.getByText("It waits for the signal 'paid'").waitFor();
    await page.locator(".react-flow__node .state-current").waitFor();
    await t.accessible();
    await t.shot("waits");
    await page.getByRole("button", { name: "Actions" }).click();
    await page.getByRole("menuitem", { name: "Pause" }).click();
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    assert.equal(await page.evaluate(() => document.activeElement.ariaLabel), "Actions", "the focus goes back");
    await page.getByRole("button", { name: "Send paid" }).click();
    const dialog = page.getByRole("dialog");
    assert.equal(await dialog.getByLabel("Name").inputValue(), "paid");
    await dialog.getByLabel("Payload").fill("{oops");
    await dialog.getByText("Invalid JSON").waitFor();
    assert.ok(await dialog.getByRole("button", { name: "Send", exact: true }).isDisabled());
    await dialog.getByLabel("Payload").fill('{"amount":12345678901234567890}');
    await dialog.getByText("The same from a terminal").click();
    await dialog.getByText(`millrace signal ${order.id} paid`).waitFor();
    await dialog.getByRole("button", { name: "Send", exact: true }).click();
    await page.getByText("It waits for the signal 'paid'").waitFor({ state: "detached" });
    await page.getByRole("tab", { name: "Messages" }).click();
    await page.getByText("12345678901234567890").waitFor();
  },

  async "a failed instance is retried from its page"(t) {
    await t.open("", "Overview");
    const failed = await find(t, "status=failed&type=order");
    const page = await openInstance(t, failed);
    await page.locator(".why").getByText(/It has ended as failed/).waitFor();
    const before = failed.seq;
    await page.getByRole("button", { name: "Retry now" }).click();
    await page.getByRole("dialog").getByLabel(/^Reason/).fill("the journey's reason");
    await page.getByRole("dialog").getByRole("button", { name: "Retry", exact: true }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.getByText("the journey's reason").first().waitFor();
    const { body } = await t.call("GET", `/instances/${failed.id}`);
    assert.ok(body.seq > before);
  },

  async "pause, resume and cancel follow each other"(t) {
    const order = await freshOrder(t);
    const page = await openInstance(t, order);
    await confirm(page, "Pause", "Pause", "wait for the stock");
    await page.locator(".why").getByText("It is paused: wait for the stock").waitFor();
    await page.getByRole("button", { name: "Resume" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Resume", exact: true }).click();
    await statusIs(t, order.id, "inProgress");
    await confirm(page, "Cancel", "Cancel instance", "not wanted any more");
    await page.locator(".why").getByText(/It has ended as cancelled/).waitFor();
    await page.locator(".page-head").getByText("Cancelled").waitFor();
  },

  async "an instance is moved to a state that is chosen from its definition"(t) {
    const order = await freshOrder(t);
    const page = await openInstance(t, order);
    await page.getByRole("button", { name: "Actions" }).click();
    await page.getByRole("menuitem", { name: "Move to a state" }).click();
    const dialog = page.getByRole("dialog");
    const { body: definition } = await t.call("GET", "/definitions/order");
    const { body: here } = await t.call("GET", `/instances/${order.id}`);
    const target = definition.states.find(({ name, type }) => type === "end" && name !== here.state);
    await dialog.getByLabel("To state").selectOption(target.name);
    await t.accessible();
    t.allow(409, /\/move$/); // no order may go to its end from where it is
    await dialog.getByRole("button", { name: "Move", exact: true }).click();
    await dialog.getByRole("alert").waitFor();
    await dialog.getByLabel(/^Force/).check();
    await dialog.getByRole("button", { name: "Move", exact: true }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("tab", { name: "History" }).click();
    const history = page.getByRole("list", { name: "History" });
    await history.getByText("Moved").waitFor();
    await history.getByText("forced").first().waitFor();
  },

  async "variables are edited with their digits kept, and the history entry shows before and after"(t) {
    const order = await freshOrder(t);
    const page = await openInstance(t, order, "?tab=variables");
    await page.getByRole("button", { name: "Edit" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Variable", { exact: true }).fill("limit");
    await dialog.getByLabel(/^Value/).fill("98765432109876543210.50");
    await dialog.getByLabel(/^Reason/).fill("a larger limit");
    await dialog.getByRole("button", { name: "Change", exact: true }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("region", { name: "limit" }).getByText("98765432109876543210.50").waitFor();
    await t.accessible();
    await page.locator(".variables > div").filter({ hasText: "limit" }).getByRole("button", { name: /set by entry/ }).click();
    const entry = page.locator(".history-entry.row-selected");
    await entry.getByText("by ").first().waitFor();
    await entry.getByText("1 variable changed: limit").click();
    await entry.getByText("98765432109876543210.50").waitFor();
  },

  async "all tabs show something, and the address keeps the tab"(t) {
    await t.open("", "Overview");
    const finished = await find(t, "status=finished&type=order");
    const page = await openInstance(t, finished);
    for (const tab of ["Timeline", "History", "Variables", "Messages", "Logs", "Children", "Raw"]) {
      await page.getByRole("tab", { name: tab }).click();
      await page.getByRole("tabpanel").locator(".loading").waitFor({ state: "detached" });
      await page.getByRole("tabpanel").getByRole("heading").first().waitFor();
      await t.accessible();
      await t.shot(tab);
    }
    await page.reload();
    await page.getByRole("tab", { name: "Raw", selected: true }).waitFor();
    await page.getByRole("region", { name: `Instance ${finished.id}` }).getByText(`${finished.id}`).first().waitFor();
  },

  async "a state picked in the graph leaves its history only"(t) {
    await t.open("", "Overview");
    const finished = await find(t, "status=finished&type=order");
    const page = await openInstance(t, finished);
    const entries = page.getByRole("list", { name: "History" }).getByRole("listitem");
    await entries.first().waitFor();
    const all = await entries.count();
    await page.locator(".react-flow__node").first().click();
    await page.getByRole("region", { name: /^History in / }).waitFor();
    assert.ok((await entries.count()) <= all);
    assert.ok(new URL(page.url()).searchParams.get("state"));
    await page.getByRole("button", { name: "Show all" }).click();
    await page.getByRole("region", { name: "History", exact: true }).waitFor();
    assert.equal(await entries.count(), all);
  },

  async "children are listed with a way back to the parent"(t) {
    await t.open("", "Overview");
    const { body } = await t.call("GET", "/instances?type=stocktake&limit=50");
    const parent = body.items.find(({ children }) => children?.total > 0);
    assert.ok(parent, "no instance has children");
    const page = await openInstance(t, parent, "?tab=children");
    await page.getByRole("table", { name: "Children" }).getByRole("link").first().click();
    await page.getByRole("heading", { level: 1 }).getByRole("link", { name: String(parent.id) }).click();
    await page.getByRole("heading", { level: 1, name: new RegExp(`${parent.type} ${parent.id}`) }).waitFor();
  },

  async "it works at the width of a phone"(t) {
    await t.open("", "Overview");
    const waiting = await find(t, "status=inProgress&type=order");
    await t.page.setViewportSize({ width: 375, height: 740 });
    const page = await openInstance(t, waiting);
    for (const tab of ["Graph", "Timeline", "History", "Variables", "Logs"]) {
      await page.getByRole("tab", { name: tab }).click();
      await page.getByRole("tabpanel").waitFor();
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      assert.ok(wide <= 0, `${tab} is ${wide} px too wide`);
    }
    await t.shot("phone");
  },
};
