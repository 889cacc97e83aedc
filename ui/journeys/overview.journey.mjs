import assert from "node:assert/strict";
import { numberIn } from "./traveller.mjs";

export default {
  async "shows counts, charts, problems, executors and failure groups"(t) {
    const page = await t.open("", "Overview");
    await page.locator(".plot canvas").nth(1).waitFor();
    for (const name of ["Open problems", "Executors", "Largest failure groups", "Oldest waiting"]) {
      await page.getByRole("region", { name, exact: true }).first().waitFor();
    }
    await page.getByRole("region", { name: "Executors", exact: true }).getByRole("listitem").first().waitFor();
    await t.accessible();
    await t.shot("light");
    await page.emulateMedia({ colorScheme: "dark" });
    await t.shot("dark");
  },

  async "a count leads to as many instances"(t) {
    const page = await t.open("", "Overview");
    const card = page.getByRole("navigation", { name: "Instances by status" }).getByRole("link", { name: /^Finished/ });
    await card.waitFor();
    const before = numberIn(await card.locator(".count-number").textContent());
    await card.click();
    await page.getByRole("heading", { name: "Instances", level: 1 }).waitFor();
    assert.equal(new URL(page.url()).search, "?status=finished");
    const line = page.getByRole("navigation", { name: "Statuses" }).getByRole("link", { name: /^Finished/ });
    await t.until("the side shows at least as many", async () => {
      const text = await line.textContent();
      return /\d/.test(text) && numberIn(text) >= Math.min(before, 10_000);
    });
    const others = await page.locator("tbody .badge").allTextContents();
    assert.ok(others.length > 0);
    assert.deepEqual(others.filter((text) => text !== "Finished"), []);
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

  async "colours and times are chosen and stay"(t) {
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
      ["executors", "Executors"],
      ["audit", "Audit"],
      ["settings", "Settings"],
    ]) {
      const page = await t.open(path, title);
      await page.waitForLoadState("load");
      await page.locator(".loading").first().waitFor({ state: "detached" });
      const [content, window] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
      assert.ok(content <= window, `${title} is ${content} wide on a screen of ${window}`);
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
    assert.equal(await page.evaluate(() => document.activeElement.textContent), "Skip to the content");
    await page.keyboard.press("Enter");
    assert.equal(await page.evaluate(() => document.activeElement.id), "main");
    assert.equal(new URL(page.url()).hash, "");
  },
};
