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

    await page.getByRole("button", { name: "Register task" }).click();
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
    const clash = dialog.getByRole("alert").filter({ hasText: `${t.server.user} has changed ${name} meanwhile` });
    await clash.getByText(/Changed by that user: the component,.* You have also changed the channel/).waitFor();
    await t.accessible();
    await t.shot("clash");
    await clash.getByRole("button", { name: "Reload and keep my changes" }).click();
    await dialog.getByRole("alert").waitFor({ state: "detached" });
    assert.equal(await dialog.getByLabel(/^Component/).inputValue(), "com.example.Elsewhere");
    await dialog.getByRole("button", { name: "Save", exact: true }).click();
    await dialog.waitFor({ state: "detached" });
    const { body: saved } = await t.call("GET", `/tasks/${name}`);
    assert.deepEqual([saved.component, saved.channel], ["com.example.Elsewhere", "journey.other"]);

    await page.getByRole("button", { name: `Remove the task ${name}` }).click();
    await dialog.getByRole("button", { name: "Remove", exact: true }).click();
    await row.waitFor({ state: "detached" });
    await page.getByRole("button", { name: `Remove the type ${type}` }).click();
    await dialog.getByRole("button", { name: "Remove", exact: true }).click();
    await page.getByRole("button", { name: `Remove the type ${type}` }).waitFor({ state: "detached" });
  },

  async "a dialog is not closed by mistake while something is typed or awaited"(t) {
    const page = await t.open("tasks", "Tasks");
    await page.setViewportSize({ width: 900, height: 420 });
    const dialog = page.getByRole("dialog");
    const name = dialog.getByLabel(/^Name/);
    const question = dialog.getByRole("alert").filter({ hasText: "Your input is not saved." });
    const beside = () => page.mouse.click(5, 200);
    const open = () => page.getByRole("button", { name: "Register task" }).click();

    await open();
    const box = await dialog.boundingBox();
    const [inner, outer] = await dialog.evaluate((element) => [
      element.firstElementChild.scrollHeight > element.firstElementChild.clientHeight,
      element.scrollHeight > element.clientHeight,
    ]);
    assert.deepEqual([inner, outer], [true, false], "the box scrolls, within the dialog");
    await page.mouse.click(box.x + box.width - 2, box.y + box.height / 2); // where a scrollbar is
    await name.waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await open();
    await beside();
    await dialog.waitFor({ state: "detached" });

    await open();
    await name.fill("PRINT");
    await page.keyboard.press("Escape");
    await question.waitFor();
    await t.accessible();
    await t.shot("question");
    await page.keyboard.press("Escape");
    await question.waitFor({ state: "detached" });
    assert.ok(await name.evaluate((field) => field === document.activeElement), "one types on where one was");
    await beside();
    await question.getByRole("button", { name: "Keep editing" }).click();
    assert.equal(await name.inputValue(), "PRINT");

    let answer;
    await page.route("**/api/v1/tasks", (route) => {
      if (route.request().method() !== "POST") return route.fallback();
      answer = () => route.fulfill({ status: 409, json: { type: "conflict", title: "Conflict", status: 409, detail: "Taken." } });
    });
    t.allow(409, /\/tasks/);
    await dialog.getByLabel(/^Type/).fill("Journey");
    await dialog.getByLabel(/^Component/).fill("com.example.Print");
    await dialog.getByRole("button", { name: "Register", exact: true }).click();
    await dialog.getByRole("button", { name: "Working…" }).waitFor();
    await beside();
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    assert.equal(await question.count(), 0);
    await answer();
    await dialog.getByText("Taken.").waitFor();
    await beside();
    await question.getByRole("button", { name: "Discard" }).click();
    await dialog.waitFor({ state: "detached" });
  },
};
