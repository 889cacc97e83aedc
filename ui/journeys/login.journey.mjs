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

  async "a login link logs in once, and its token leaves the address"(t) {
    const { page, close } = await t.another(null);
    const sent = [];
    await page.route("**/api/v1/session/link", async (route) => {
      sent.push(route.request().postDataJSON());
      const { user, password } = t.server;
      const url = route.request().url().replace("/session/link", "/session");
      const response = await route.fetch({ url, postData: JSON.stringify({ user, password }) });
      return route.fulfill({ response }).catch(() => undefined);
    });
    await page.goto(new URL("problems#login=Good-token_1", t.server.url).href);
    await page.getByRole("heading", { name: "Problems", level: 1 }).waitFor();
    assert.deepEqual(sent, [{ token: "Good-token_1" }]);
    assert.ok(page.url().endsWith("/problems"), page.url());
    await page.goBack().catch(() => undefined);
    assert.ok(!page.url().includes("Good-token"), page.url());
    await close();
  },

  async "a login link that was used is refused in words, and the password still works"(t) {
    t.allow(401, /\/session\/link$/);
    const { page, close } = await t.another(null);
    await page.goto(new URL("problems", t.server.url).href);
    await page.getByLabel("Password").waitFor();
    await page.goto(new URL("problems#login=unknown", t.server.url).href); // changes the fragment alone
    await page.getByRole("alert").getByText("This login link is unknown or has expired.").waitFor();
    assert.ok(page.url().endsWith("/problems"), page.url());
    await t.accessible(page);
    await t.shot("link", page);
    await page.getByLabel("User").fill(t.server.user);
    await page.getByLabel("Password").fill(t.server.password);
    await page.getByRole("button", { name: "Log in" }).click();
    await page.getByRole("heading", { name: "Problems", level: 1 }).waitFor();
    await page.goto(new URL("problems#login=another", t.server.url).href); // who is logged in needs none
    await page.getByRole("heading", { name: "Problems", level: 1 }).waitFor();
    await t.until("the token is gone", () => page.url().endsWith("/problems") || page.url());
    await close();
  },

  async "a session that ends asks for a new login, and shows the page again"(t) {
    t.allow(401, /./);
    const page = await t.open("problems", "Problems");
    await page.getByRole("region", { name: "Failure groups" }).first().waitFor();
    await t.context.clearCookies();
    // Not with the mouse: a request of the page may already have opened the login form over the link.
    await page
      .getByRole("navigation", { name: "Pages" })
      .getByRole("link", { name: "Executors" })
      .dispatchEvent("click");
    await page.getByLabel("Password").waitFor();
    await page.getByLabel("User").fill(t.server.user);
    await page.getByLabel("Password").fill(t.server.password);
    await page.getByRole("button", { name: "Log in", exact: true }).click();
    await page.getByRole("heading", { name: "Executors", level: 1 }).waitFor();
    await page.getByRole("listitem").filter({ hasText: "this server" }).waitFor();
  },

  async "typed input stays below the login form when a session ends"(t) {
    t.allow(401, /./);
    const page = await t.open("add-sequence", "Add sequence");
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
    await t.open("no/such/page", "Page not found");
    await t.page.getByRole("link", { name: "Go to the overview" }).click();
    await t.page.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
    assert.equal(new URL(t.page.url()).pathname, new URL(t.server.url).pathname);
  },
};
