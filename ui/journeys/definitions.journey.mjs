import assert from "node:assert/strict";

export default {
  async "a definition shows its graph, its states with times, and leads to its instances"(t) {
    const page = await t.open("definitions", "Definitions");
    await t.accessible();
    await page.getByRole("link", { name: "order", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "order" }).waitFor();
    await page.locator(".react-flow__node").first().waitFor();
    await page.locator(".react-flow__edge").first().waitFor();
    const row = page.getByRole("table", { name: "States" }).getByRole("row").nth(1);
    await row.getByText(/ms|s$/).first().waitFor();
    await t.accessible();
    await t.shot("definition");
    await page.getByRole("table", { name: "States" }).getByRole("link").first().click();
    await page.getByRole("heading", { level: 1, name: "Instances" }).waitFor();
    const search = new URL(page.url()).searchParams;
    assert.equal(search.get("type"), "order");
    assert.ok(search.get("state") && search.get("status"));
  },

  async "an instance is started from the form, once for an external id"(t) {
    const page = await t.open("definitions/order", "order");
    const external = `journey-${Date.now()}`;
    const input = JSON.stringify(await t.orderInput()); // another input under the same id would be refused
    for (const words of ["Started", "Already started"]) {
      await page.getByRole("button", { name: "Start", exact: true }).first().click();
      const dialog = page.getByRole("dialog");
      const field = (name) => dialog.getByRole("group", { name: /^Input/ }).getByRole("textbox", { name, exact: true });
      assert.equal(await field("customer").inputValue(), "", "the form shows no customer's data");
      await dialog.getByRole("button", { name: "As JSON" }).click();
      await dialog.getByLabel(/^Input/).fill(input);
      await dialog.getByRole("button", { name: "As a form" }).click();
      for (const [name, wrong, fault, right] of [
        ["quantity", "two", "Must be a whole number.", "2"],
        ["customer", "", "Required. Enter a value.", "Ada"],
      ]) {
        await field(name).fill(wrong);
        await dialog.getByText(fault).waitFor();
        assert.ok(await dialog.getByRole("button", { name: "Start", exact: true }).isDisabled());
        await field(name).fill(right);
        await dialog.getByText(fault).waitFor({ state: "detached" });
      }
      await dialog.getByRole("button", { name: "As JSON" }).click();
      const json = dialog.getByLabel(/^Input/);
      assert.equal(JSON.parse(await json.inputValue()).quantity, 2);
      await json.fill(input);
      await dialog.getByRole("button", { name: "As a form" }).click();
      await dialog.getByLabel(/^External id/).fill(external);
      await dialog.getByRole("button", { name: "Start", exact: true }).click();
      await dialog.waitFor({ state: "detached" });
      await page.locator(".toast").filter({ hasText: words }).waitFor();
    }
    await page.locator(".toast").getByRole("link").last().click();
    await page.getByText(external).waitFor();
  },

  async "the form asks for each kind of declared field"(t) {
    const input = [
      { name: "customer", type: "text", required: true },
      { name: "quantity", type: "integer", required: true },
      { name: "weight", type: "number", required: false },
      { name: "gift", type: "boolean", required: true },
      { name: "speed", type: "choice", required: true, choices: ["SLOW", "FAST"] },
      { name: "colour", type: "choice", required: false, choices: ["RED"] },
      { name: "day", type: "date", required: true },
      { name: "at", type: "dateTime", required: true },
      { name: "delivery", type: "json", required: false },
    ];
    const example = { customer: "Ada", at: "2026-11-21T10:00:05Z", unknown: 1 };
    await t.open("", "Overview");
    const { body } = await t.call("GET", "/definitions/order");
    const json = { ...body, input, inputExample: JSON.stringify(example) };
    await t.page.route("**/api/v1/definitions/order", (route) => route.fulfill({ json }).catch(() => undefined));
    const page = await t.open("definitions/order", "order");
    await page.setViewportSize({ width: 375, height: 812 });
    await page.getByRole("button", { name: "Start", exact: true }).first().click();
    const dialog = page.getByRole("dialog");
    const field = (name) => dialog.getByRole("group", { name: /^Input/ }).getByLabel(new RegExp(`^${name}\\b`));
    const begin = dialog.getByRole("button", { name: "Start", exact: true });
    await dialog.getByText("Required. Choose a value.").waitFor();
    await t.accessible();
    await t.shot("declared input");
    const [needed, given] = await dialog.evaluate((element) => [element.scrollWidth, Math.min(element.clientWidth, innerWidth)]);
    assert.ok(needed <= given, `the form needs ${needed} px and has ${given}`);

    await field("quantity").fill("12345678901234567890");
    await field("gift").check();
    await field("speed").selectOption("FAST");
    assert.deepEqual(await field("speed").locator("option").allTextContents(), ["SLOW", "FAST"]);
    assert.ok(await begin.isDisabled(), "a day is missing");
    await field("day").fill("2026-11-22");
    assert.ok(await begin.isEnabled());
    await dialog.getByRole("button", { name: "As JSON" }).click();
    const text = await dialog.getByLabel(/^Input/).inputValue();
    assert.match(text, /"quantity": 12345678901234567890,/);
    assert.deepEqual(JSON.parse(text), {
      customer: "Ada",
      quantity: 12345678901234567890,
      gift: true,
      speed: "FAST",
      day: "2026-11-22",
      at: "2026-11-21T10:00:05.000Z",
    });
  },
};
