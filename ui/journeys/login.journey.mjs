import assert from "node:assert/strict";

export default {
  async "a wrong password is refused, the right one shows the page that was asked for"(t) {
    t.allow(401, /\/session$/);
    const { page, close } = await t.another(null);
    await page.goto(new URL("problems", t.server.url).href);
    await page.getByLabel("User").fill(t.server.user);
    await page.getByLabel("Password").fill("wrong password");
    await page.getByRole("button", { name: "Log in" }).click();
    await page.getByRole("alert").waitFor();
    await t.accessible(page);
    await t.shot("refused", page);

    await page.getByLabel("Password").fill(t.server.password);
    await page.getByRole("button", { name: "Log in" }).click();
    await page.getByRole("heading", { name: "Problems", level: 1 }).waitFor();
    await page.reload();
    await page.getByRole("heading", { name: "Problems", level: 1 }).waitFor();

    await page.getByRole("button", { name: /User and display/ }).click();
    await page.getByRole("menuitem", { name: "Log out" }).click();
    await page.getByLabel("Password").waitFor();
    await page.reload();
    await page.getByLabel("Password").waitFor();
    await close();
  },

  async "a session that ends asks for a new login, and shows the page again"(t) {
    t.allow(401, /./);
    const page = await t.open("problems", "Problems");
    await page.getByRole("region", { name: "Failure groups" }).first().waitFor();
    await t.context.clearCookies();
    await page.getByRole("link", { name: "Executors" }).click();
    await page.getByLabel("Password").waitFor();
    await page.getByLabel("User").fill(t.server.user);
    await page.getByLabel("Password").fill(t.server.password);
    await page.getByRole("button", { name: "Log in" }).click();
    await page.getByRole("heading", { name: "Executors", level: 1 }).waitFor();
    await page.getByRole("listitem").filter({ hasText: "this server" }).waitFor();
  },

  async "what was typed stays below the login when a session ends"(t) {
    t.allow(401, /./);
    const page = await t.open("add-sequence", "Add a workflow");
    await page.getByLabel(/^Id/).fill("Draft");
    await t.context.clearCookies();
    await page.getByLabel(/^Frequency/).selectOption("MONTHLY"); // what it means is asked for
    const login = page.getByRole("dialog", { name: "Log in again" });
    await login.getByLabel("Password").fill(t.server.password);
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    assert.equal(await login.getByLabel("User").inputValue(), t.server.user);
    await t.accessible(page);
    await t.shot("again");
    await login.getByRole("button", { name: "Log in", exact: true }).click();
    await login.waitFor({ state: "detached" });
    assert.equal(await page.getByLabel(/^Id/).inputValue(), "Draft");
    assert.equal(await page.getByLabel(/^Frequency/).inputValue(), "MONTHLY");
  },

  async "an address that leads nowhere says so"(t) {
    await t.open("no/such/page", "No such page");
    await t.page.getByRole("link", { name: "Go to the overview" }).click();
    await t.page.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
    assert.equal(new URL(t.page.url()).pathname, new URL(t.server.url).pathname);
  },
};
