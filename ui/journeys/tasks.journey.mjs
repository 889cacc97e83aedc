import assert from "node:assert/strict";

export default {
  async "a task is registered, changed and removed, and so is its type"(t) {
    t.allow(409, /\/task/);
    t.allow(400, /\/task/);
    const mark = Date.now().toString(36);
    const type = `Journey-${mark}`;
    const name = `COUNT-${mark}`;
    const page = await t.open("tasks", "Tasks");
    await page.getByRole("button", { name: "New type" }).click();
    await page.getByRole("dialog").getByLabel("Name").fill("no type");
    await page.getByText(/Expected a letter or digit/).waitFor();
    await page.getByRole("dialog").getByLabel("Name").fill(type);
    await page.getByRole("button", { name: "Add the type" }).click();
    await page.getByRole("button", { name: `Remove the type ${type}` }).waitFor();

    await page.getByRole("button", { name: "Register a task" }).click();
    const dialog = page.getByRole("dialog");
    assert.ok(await dialog.getByRole("button", { name: "Register", exact: true }).isDisabled());
    await dialog.getByLabel(/^Name/).fill(name);
    await dialog.getByLabel(/^Type/).fill(type);
    await dialog.getByLabel(/^Component/).fill("com.example.Nowhere");
    await dialog.getByLabel(/^Retries/).fill("1001");
    await dialog.getByText(/Expected a whole number from 0 to 1,000/).waitFor();
    await dialog.getByLabel(/^Retries/).fill("2");
    await dialog.getByLabel(/^Timeout/).fill("90");
    await dialog.getByLabel(/^Parameters/).fill('{"id": 12345678901234567890}');
    await t.accessible();
    await dialog.getByRole("button", { name: "Register", exact: true }).click();
    await dialog.waitFor({ state: "detached" });
    const row = page.getByRole("row", { name });
    await row.getByText("not runnable").waitFor();
    await row.getByText(/is not known here/).waitFor();
    await row.getByText("1 min 30 s").waitFor();
    assert.equal(await page.getByRole("button", { name: `Remove the type ${type}` }).count(), 0, "its type is in use");
    await t.accessible();
    await t.shot("tasks");

    await page.getByRole("button", { name: `Edit the task ${name}` }).click();
    assert.match(await dialog.getByLabel(/^Parameters/).inputValue(), /12345678901234567890/);
    await dialog.getByLabel(/^Channel/).fill("journey.count");
    await dialog.getByText("The same from a terminal").click();
    await dialog.getByText(`millrace tasks change ${name}.json`).waitFor();
    await dialog.getByRole("button", { name: "Save", exact: true }).click();
    await row.getByText("journey.count").waitFor();

    await page.getByRole("button", { name: `Edit the task ${name}` }).click();
    const { body: task } = await t.call("GET", `/tasks/${name}`);
    const other = { name, type, component: "com.example.Elsewhere" };
    assert.equal((await t.call("PUT", `/tasks/${name}?revision=${task.revision}`, other)).status, 200);
    await dialog.getByLabel(/^Channel/).fill("journey.other");
    await dialog.getByRole("button", { name: "Save", exact: true }).click();
    await dialog.getByRole("alert").waitFor();
    await dialog.getByRole("button", { name: "Leave it" }).click();

    await page.getByRole("button", { name: `Remove the task ${name}` }).click();
    await dialog.getByRole("button", { name: "Remove it" }).click();
    await row.waitFor({ state: "detached" });
    await page.getByRole("button", { name: `Remove the type ${type}` }).click();
    await dialog.getByRole("button", { name: "Remove it" }).click();
    await page.getByRole("button", { name: `Remove the type ${type}` }).waitFor({ state: "detached" });
  },
};
