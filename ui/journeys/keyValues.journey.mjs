import assert from "node:assert/strict";

export default {
  async "a value is added, changed over another user's change, and deleted"(t) {
    t.allow(412, /key-values\/value$/);
    t.allow(404, /key-values\/value$/);
    const group = `Rates <b>${Date.now().toString(36)}</b>`;
    const at = `/key-values/value?group=${encodeURIComponent(group)}&key=EUR%2FUSD`;
    const page = await t.open("key-values", "Keys and values");
    await page.getByRole("button", { name: "Add value" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Group", { exact: true }).fill(group);
    await dialog.getByLabel("Key", { exact: true }).fill("EUR/USD");
    await dialog.getByLabel(/^Value/).fill('{"rate": 1.08}');
    await dialog.getByLabel(/^Expires after/).fill("soon");
    await dialog.getByText("Expected a whole number of seconds, or nothing.").waitFor();
    assert.ok(await dialog.getByRole("button", { name: "Add", exact: true }).isDisabled());
    await dialog.getByLabel(/^Expires after/).fill("3600");
    await t.accessible();
    await dialog.getByRole("button", { name: "Add", exact: true }).click();
    await dialog.waitFor({ state: "detached" });
    const panel = page.getByRole("region", { name: "EUR/USD", exact: true });
    await panel.getByText("1.08").waitFor();
    const values = page.getByRole("region", { name: `Values of ${group}`, exact: true });
    await values.getByRole("row", { name: /EUR\/USD/ }).getByText("Unknown").waitFor();
    await t.accessible();
    await t.shot("values");

    await panel.getByRole("button", { name: "Change…" }).click();
    await dialog.getByLabel(/^Value/).fill("mine");
    await dialog.getByLabel(/^Status/).selectOption("Success");
    const theirs = await t.call("PUT", at, { value: "theirs", status: "Warning" });
    assert.equal(theirs.status, 200);
    await dialog.getByRole("button", { name: "Save" }).click();
    const alert = dialog.getByRole("alert");
    await alert.getByText("Another user has changed the value meanwhile").waitFor();
    await alert.getByRole("region", { name: "Current value" }).getByText("theirs").waitFor();
    assert.equal((await t.call("GET", at)).body.value, "theirs", "nothing is lost by pressing Save");
    await t.accessible();
    await t.shot("meanwhile");
    await alert.getByRole("button", { name: "Keep my change" }).click();
    assert.equal(await dialog.getByLabel(/^Value/).inputValue(), "mine");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "detached" });
    const { body } = await t.call("GET", at);
    assert.deepEqual([body.value, body.status], ["mine", "Success"]);
    await panel.getByRole("region", { name: "Value" }).getByText("mine").waitFor();

    await page.getByLabel("Warning").check();
    await page.getByText("No value matches.").waitFor();
    await page.getByRole("button", { name: "Clear filters" }).click();
    await panel.getByRole("button", { name: "Delete…" }).click();
    await dialog.getByText("The same from a terminal").click();
    await dialog.getByText(/If-Match/).waitFor();
    await dialog.getByRole("button", { name: "Delete", exact: true }).click();
    await dialog.waitFor({ state: "detached" });
    assert.equal((await t.call("GET", at)).status, 404);
  },
};
