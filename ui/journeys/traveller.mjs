import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const patience = 30_000;

/** Logs in with the form and returns the cookies. */
export async function logIn(browser, { url, user, password }) {
  const context = await browser.newContext();
  const page = await context.newPage();
  page.setDefaultTimeout(patience);
  await page.goto(url);
  await page.getByLabel("User").fill(user);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Log in" }).click();
  await page.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
  const state = await context.storageState();
  await context.close();
  return state;
}

/** The browser window of a journey, with the faults that it has noticed. */
export class Traveller {
  faults = [];
  allowed = [];
  pages = [];

  constructor(context, server, name, output) {
    this.context = context;
    this.server = server;
    this.name = name;
    this.output = output;
  }

  static async begin(browser, server, session, name, output) {
    const context = await browser.newContext({
      storageState: session,
      viewport: { width: 1360, height: 860 },
      acceptDownloads: true,
    });
    const traveller = new Traveller(context, server, name, output);
    traveller.page = await traveller.newPage();
    return traveller;
  }

  /** Opens another tab of the same browser. */
  async newPage(context = this.context) {
    const page = await context.newPage();
    page.setDefaultTimeout(patience);
    page.on("pageerror", (error) => this.faults.push(`fault in the page: ${error.message}`));
    page.on("console", (message) => {
      // Error responses also appear in the console; they are checked below.
      if (message.type() !== "error" || /Failed to load resource/.test(message.text())) return;
      this.faults.push(`console: ${message.text()}`);
    });
    page.on("response", (response) => {
      const status = response.status();
      const path = new URL(response.url()).pathname;
      if (status < 400 || this.allowed.some((one) => one.status === status && one.path.test(path))) return;
      this.faults.push(`${status} for ${response.request().method()} ${path}`);
    });
    await page.addInitScript(() => {
      document.addEventListener("securitypolicyviolation", (event) => {
        console.error(`content security policy: ${event.violatedDirective} ${event.blockedURI}`);
      });
    });
    this.pages.push(page);
    return page;
  }

  /** Opens the window of another user; null for a window without a session. */
  async another(session) {
    const context = await this.page.context().browser().newContext({ storageState: session ?? undefined });
    const page = await this.newPage(context);
    return { page, close: () => context.close() };
  }

  /** Allows a response that would otherwise fail the journey. */
  allow(status, path) {
    this.allowed.push({ status, path });
  }

  /** Opens an address below the server's, and waits for the page's title. */
  async open(path, title, page = this.page) {
    await page.goto(new URL(path, this.server.url).href);
    if (title) await page.getByRole("heading", { name: title, level: 1 }).waitFor();
    return page;
  }

  /** Opens an address within the loaded page, as fast as a click on a link. */
  async turn(path, title, page = this.page) {
    await page.evaluate((url) => history.pushState({}, "", url), new URL(path, this.server.url).href);
    await page.getByRole("heading", { name: title, level: 1 }).waitFor();
    return page;
  }

  /** Calls the HTTP API as the user of the page. */
  async call(method, path, body, headers = {}) {
    const address = (part) => new URL(`api/v1${part}`, this.server.url).href;
    this.csrfToken ??= await this.page.evaluate(
      async (url) => (await (await fetch(url)).json()).csrfToken ?? "",
      address("/session"),
    );
    return this.page.evaluate(
      async ([method, url, csrfToken, body, headers]) => {
        const response = await fetch(url, {
          method,
          headers: { "content-type": "application/json", "x-csrf-token": csrfToken, ...headers },
          body: body === null ? undefined : JSON.stringify(body),
        });
        const text = await response.text();
        return { status: response.status, body: text.startsWith("{") || text.startsWith("[") ? JSON.parse(text) : text };
      },
      [method, address(path), this.csrfToken, body ?? null, headers],
    );
  }

  /** Returns the input of an order of yesterday, which no journey has started. */
  async orderInput() {
    const { body } = await this.call("GET", "/instances?type=order&limit=1&status=finished&createdTo=" + new Date(Date.now() - 86_400_000).toISOString());
    const { body: order } = await this.call("GET", `/instances/${body.items[0].id}`);
    return JSON.parse(order.input);
  }

  async shot(name, page = this.page) {
    const file = `${this.name} ${name}`.replace(/[^\w]+/g, "-").toLowerCase();
    await page.screenshot({ path: new URL(`${file}.png`, this.output).pathname });
  }

  /** Checks that axe has no serious finding on the page, in light and in dark. */
  async accessible(page = this.page) {
    if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axe);
    for (const colorScheme of ["light", "dark"]) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await page.waitForFunction((theme) => document.documentElement.dataset.theme === theme, colorScheme);
      const found = await page.evaluate(async (dark) => {
        const options = { resultTypes: ["violations"], ...(dark ? { runOnly: ["color-contrast"] } : {}) };
        const { violations } = await globalThis.axe.run(document, options);
        return violations
          .filter(({ impact }) => impact === "serious" || impact === "critical")
          .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).slice(0, 3).join(" | ")}`);
      }, colorScheme === "dark"); // the rest is the same in the dark
      assert.deepEqual(found, [], `axe in ${colorScheme}`);
    }
    await page.emulateMedia({ colorScheme: "light", reducedMotion: null });
  }

  /** Polls until a condition returns true; a timeout names the condition. */
  async until(what, question) {
    const end = Date.now() + patience;
    let last;
    do {
      last = await question();
      if (last === true) return;
      await this.page.waitForTimeout(100);
    } while (Date.now() < end);
    assert.fail(`waited in vain until ${what}; at last: ${JSON.stringify(last)}`);
  }

  check() {
    assert.deepEqual(this.faults, []);
  }

  async end() {
    await this.context.close();
  }
}

/** Returns the whole number in a text such as "1,234 instances". */
export function numberIn(text) {
  const match = /\d[\d,]*/.exec(text ?? "");
  assert.ok(match, `no number in "${text}"`);
  return Number(match[0].replaceAll(",", ""));
}
