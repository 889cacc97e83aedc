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
    let input;
    for (const words of ["Started", "Had been started"]) {
      await page.getByRole("button", { name: "Start", exact: true }).first().click();
      const dialog = page.getByRole("dialog");
      const quantity = dialog.getByRole("group", { name: /^Input/ }).getByLabel("quantity", { exact: true });
      assert.match(await quantity.inputValue(), /^\d+$/, "the input is prefilled");
      await quantity.fill("two");
      await dialog.getByText("Not a number.").waitFor();
      assert.ok(await dialog.getByRole("button", { name: "Start", exact: true }).isDisabled());
      await quantity.fill("2");
      await dialog.getByRole("button", { name: "As JSON" }).click();
      const json = dialog.getByLabel(/^Input/);
      assert.equal(JSON.parse(await json.inputValue()).quantity, 2);
      input ??= await json.inputValue(); // another input under the same id would be refused
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
};
