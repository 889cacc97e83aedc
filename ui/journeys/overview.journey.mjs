import assert from "node:assert/strict";
import { numberIn } from "./traveller.mjs";

export default {
  async "shows counts, charts, problems, executors and failure groups"(t) {
    const page = await t.open("", "Overview");
    await page.locator(".plot canvas").nth(1).waitFor();
    for (const name of ["Failure groups", "Other problems", "Executors"]) {
      await page.getByRole("region", { name, exact: true }).first().waitFor();
    }
    await page.getByRole("region", { name: "Executors", exact: true }).getByRole("listitem").first().waitFor();
    await t.accessible();
    await t.shot("light");
    await page.emulateMedia({ colorScheme: "dark" });
    await t.shot("dark");
  },

  async "the numbers of a chart follow the pointer, and the chart is drawn once"(t) {
    const page = await t.open("?range=30d", "Overview");
    const canvas = page.locator(".plot canvas").first();
    await canvas.waitFor();
    const at = page.locator(".plot-at").first();
    assert.equal(await at.textContent(), "in total");
    await canvas.evaluate((element) => (element.drawnOnce = true));
    const { x, y, width, height } = await page.locator(".plot .u-over").first().boundingBox();
    const shown = new Set();
    for (let step = 1; step <= 10; step += 1) {
      await page.mouse.move(x + (width * step) / 11, y + height / 2);
      await t.until("the moment under the pointer shows", async () => /^\d{4}-/.test(await at.textContent()));
      shown.add(await at.textContent());
    }
    assert.ok(shown.size > 5, `only ${shown.size} moments`);
    assert.ok(await canvas.evaluate((element) => element.isConnected && element.drawnOnce), "the chart was drawn again");
  },

  async "a count leads to as many instances"(t) {
    const page = await t.open("", "Overview");
    const cards = page.getByRole("navigation", { name: "Instances by status" });
    const card = cards.getByRole("link", { name: /^Failed/ });
    await card.waitFor();
    const before = numberIn(await card.locator(".count-number").textContent());
    assert.ok(before > 0, "nothing has failed");
    await card.click();
    await page.getByRole("heading", { name: "Instances", level: 1 }).waitFor();
    assert.equal(new URL(page.url()).search, "?status=failed");
    await page.locator("tbody .badge").first().waitFor();
    const shown = await page.locator("tbody .badge").allTextContents();
    assert.deepEqual(shown.filter((text) => text !== "Failed"), []);
    const line = page.getByRole("navigation", { name: "Statuses" }).getByRole("link", { name: /^Failed/ });
    await t.until("the side shows about as many", async () => {
      const text = await line.textContent();
      return /\d/.test(text) && Math.abs(numberIn(text) - before) <= 5 ? true : text;
    });
  },

  async "the first steps are shown in the demo until they are dismissed"(t) {
    const page = await t.open("", "Overview");
    const guide = page.getByRole("complementary", { name: "Three first steps" });
    const { notice } = (await t.call("GET", "/session")).body;
    assert.ok(notice, "this server is no demo");
    await page.getByText(notice, { exact: true }).waitFor();
    await guide.getByRole("link", { name: "Problems" }).click();
    await page.getByRole("heading", { name: "Problems", level: 1 }).waitFor();
    await page.goBack();
    await guide.getByRole("button", { name: "Dismiss the first steps" }).click();
    await guide.waitFor({ state: "detached" });
    await page.reload();
    await page.locator(".counts").waitFor();
    assert.equal(await guide.count(), 0);
  },

  async "ended instances are counted within the range"(t) {
    const page = await t.open("?range=30d", "Overview");
    const cards = page.getByRole("navigation", { name: "Instances by status" });
    const card = cards.getByRole("link", { name: /^Finished 30d/ });
    await card.waitFor();
    assert.ok(numberIn(await card.locator(".count-number").textContent()) > 0);
    await card.click();
    await page.getByRole("heading", { name: "Instances", level: 1 }).waitFor();
    const search = new URL(page.url()).searchParams;
    assert.equal(search.get("status"), "finished");
    assert.ok(Date.parse(search.get("endedFrom")) < Date.now() - 29 * 86_400_000, search.get("endedFrom"));
    await page.locator("tbody .badge").first().waitFor();
  },

  async "the range of the charts is in the address"(t) {
    const page = await t.open("", "Overview");
    await page.getByRole("link", { name: "30d: last 30 days" }).click();
    await page.getByRole("region", { name: "Throughput, last 30 days" }).waitFor();
    assert.equal(new URL(page.url()).search, "?range=30d");
    const label = await page.getByRole("img", { name: /^Throughput/ }).getAttribute("aria-label");
    assert.ok(numberIn(/Started [\d,]+/.exec(label)?.[0]) > 0, label);
    await page.reload();
    await page.getByRole("region", { name: "Throughput, last 30 days" }).waitFor();
  },

  async "the theme and the zone are chosen and stay"(t) {
    const page = await t.open("", "Overview");
    await page.getByRole("button", { name: /User and display/ }).click();
    await page.getByRole("menuitemradio", { name: "Dark" }).click();
    await page.getByRole("menuitemradio", { name: "UTC", exact: true }).click();
    await page.keyboard.press("Escape");
    assert.equal(await page.locator("html").getAttribute("data-theme"), "dark");
    await page.reload();
    await page.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
    assert.equal(await page.locator("html").getAttribute("data-theme"), "dark");
    const title = await page.locator("time[title]").first().getAttribute("title");
    assert.match(title, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} UTC\n/);
  },

  async "every page fits a phone, and the menu opens"(t) {
    await t.page.setViewportSize({ width: 375, height: 760 });
    for (const [path, title] of [
      ["", "Overview"],
      ["problems", "Problems"],
      ["instances", "Instances"],
      ["definitions", "Definitions"],
      ["key-values", "Keys and values"],
      ["sequences", "Sequences"],
      ["tasks", "Tasks"],
      ["task-runs", "Task runs"],
      ["history", "Task runs"],
      ["calendar", "Calendar"],
      ["period-ledger", "Period ledger"],
      ["reports", "Reports"],
      ["continuous-workflows", "Continuous workflows"],
      ["channels", "Channels"],
      ["flows", "Flows"],
      ["reduce", "Reduced records"],
      ["executors", "Executors"],
      ["maintenance", "Maintenance"],
      ["audit", "Audit"],
      ["settings", "Settings"],
    ]) {
      const page = await t.open(path, title);
      await page.waitForLoadState("load");
      await page.locator(".loading").first().waitFor({ state: "detached" });
      assert.match(await page.locator(".page-head p").first().textContent(), /^[A-Z].+\. Times in \S.*\.$/, `the words below ${title}`);
      const [content, window] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
      assert.ok(content <= window, `${title} is ${content} wide on a screen of ${window}`);
      const cut = await page.evaluate(() => [...document.querySelectorAll(".table-scroll")].filter((part) => part.scrollWidth > part.clientWidth).length);
      assert.equal(cut, 0, `${title} cuts the columns of a table`);
      for (const retry of await page.getByRole("button", { name: "Retry group" }).all()) {
        const { x, width } = await retry.boundingBox();
        assert.ok(x + width <= window, `"Retry group" of ${title} ends at ${x + width} on a screen of ${window}`);
      }
      await t.shot(title);
    }
    await t.page.getByRole("button", { name: "Open the menu" }).click();
    await t.shot("menu");
    await t.page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Audit" }).click();
    await t.page.getByRole("heading", { name: "Audit", level: 1 }).waitFor();
    await t.page.getByRole("button", { name: "Open the menu" }).waitFor();
  },

  async "the keyboard reaches the content at once"(t) {
    const page = await t.open("", "Overview");
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement.textContent), "Skip to content");
    await page.keyboard.press("Enter");
    assert.equal(await page.evaluate(() => document.activeElement.id), "main");
    assert.equal(new URL(page.url()).hash, "");
  },
};
