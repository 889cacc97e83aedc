import assert from "node:assert/strict";
import { logIn } from "./traveller.mjs";

export default {
  async "a key is created, shown once, works, and is revoked"(t) {
    t.allow(401, /\/instances/);
    const page = await t.open("settings", "Settings");
    const name = `journey ${Date.now()}`;
    await page.getByRole("button", { name: "New key" }).click();
    await page.getByRole("dialog").getByLabel("Name").fill(name);
    await page.getByRole("dialog").getByLabel(/^Role/).selectOption("viewer");
    await t.accessible();
    await page.getByRole("button", { name: "Create key" }).click();
    const shown = page.getByRole("dialog", { name: "New API key created" });
    const key = await shown.locator("code").textContent();
    await t.shot("shown-once");
    await shown.getByRole("button", { name: "Done" }).click();

    const read = async () => {
      const url = new URL("api/v1/instances?limit=1", t.server.url).href;
      return (await fetch(url, { headers: { authorization: `Bearer ${key}` } })).status;
    };
    assert.equal(await read(), 200);
    await page.getByRole("button", { name: `Revoke ${name}` }).click();
    await page.getByRole("button", { name: "Revoke", exact: true }).click();
    await page.getByRole("cell", { name, exact: true }).waitFor({ state: "detached" });
    assert.equal(await read(), 401);
    assert.equal((await page.content()).includes(key), false);
  },

  async "the configuration says where each value comes from"(t) {
    const page = await t.open("settings", "Settings");
    const table = page.getByRole("table", { name: "Configuration" });
    await table.getByRole("row").nth(3).waitFor();
    await t.accessible();
    await t.shot("all");
    await page.setViewportSize({ width: 1440, height: 900 });
    assert.equal(await page.evaluate(() => [...document.querySelectorAll(".table-scroll")].filter((part) => part.scrollWidth > part.clientWidth).length), 0, "no column is cut");
    const rows = await table.getByRole("row").count();
    await page.getByLabel("Filter the configuration").fill("port");
    await t.until("fewer rows are left", async () => (await table.getByRole("row").count()) < rows);
  },

  async "a viewer sees no button that would be refused, and can be made an operator"(t) {
    const page = await t.open("settings", "Settings");
    const name = `viewer-${Date.now()}`;
    await page.getByRole("button", { name: "New user" }).click();
    await page.getByRole("dialog").getByLabel("Name").fill(name);
    await page.getByRole("dialog").getByLabel(/^Role/).selectOption("viewer");
    await page.getByRole("button", { name: "Add the user" }).click();
    const shown = page.getByRole("dialog", { name: "The new user's password" });
    const password = await shown.locator("code").textContent();
    await shown.getByRole("button", { name: "Done" }).click();

    const session = await logIn(page.context().browser(), { ...t.server, user: name, password });
    const viewer = await t.another(session);
    await t.open("problems", "Problems", viewer.page);
    await viewer.page.getByRole("region", { name: "Failure groups" }).first().waitFor();
    assert.equal(await viewer.page.getByRole("button", { name: "Retry group" }).count(), 0);
    assert.equal(await viewer.page.getByRole("link", { name: "Settings" }).count(), 0);
    await t.open("instances", "Instances", viewer.page);
    await viewer.page.locator("tbody .badge").first().waitFor();
    assert.equal(await viewer.page.getByRole("checkbox").count(), 0);
    await t.open("settings", "Settings", viewer.page);
    await viewer.page.getByText("Only administrators can see the settings.").waitFor();
    await viewer.close();

    await page.getByRole("button", { name: `Change the role of ${name}` }).click();
    await page.getByRole("dialog").getByLabel(/^Role/).selectOption("operator");
    await t.accessible();
    await page.getByRole("button", { name: "Change the role", exact: true }).click();
    await page.getByRole("row", { name }).getByText("operator").waitFor();

    await page.getByRole("button", { name: `Remove the user ${name}` }).click();
    await page.getByRole("button", { name: "Remove the user", exact: true }).click();
    await page.getByRole("button", { name: `Remove the user ${name}` }).waitFor({ state: "detached" });
  },
};
