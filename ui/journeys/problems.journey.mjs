import assert from "node:assert/strict";
import { numberIn } from "./traveller.mjs";

export default {
  async "a failure group is retried until all of it is done"(t) {
    const page = await t.open("problems", "Problems");
    const groups = page.getByRole("table", { name: "Failure groups" });
    const row = groups.getByRole("row").nth(1);
    await row.waitFor();
    await t.accessible();
    await t.shot("before");
    const count = numberIn(await row.locator(".count-link").textContent());
    const fingerprint = new URL(await row.locator(".count-link").evaluate((link) => link.href)).searchParams.get("failure");

    await row.getByRole("button", { name: "Retry group" }).click();
    const dialog = page.getByRole("dialog");
    const confirm = dialog.getByRole("button", { name: /^Retry [\d,]+ instances?$/ });
    await confirm.waitFor();
    assert.ok(numberIn(await confirm.textContent()) >= 1);
    await dialog.getByLabel(/^Reason/).fill("journey: the cause is mended");
    await dialog.getByText("The same from a terminal").click();
    const lines = await dialog.locator(".code-line code").allTextContents();
    assert.ok(lines[0].startsWith(`millrace retry --failure ${fingerprint} --yes `), lines[0]);
    assert.ok(lines[1].includes(`/api/v1/failures/${fingerprint}/retry`), lines[1]);
    await t.accessible();
    await t.shot("dialog");
    await confirm.click();

    await dialog.waitFor({ state: "detached" });
    const { id } = (await t.call("GET", "/bulk")).body[0];
    const line = page.locator(".bulk").filter({ has: page.getByRole("link", { name: `run ${id}`, exact: true }) });
    await line.filter({ hasText: /instances? retried/ }).first().waitFor();
    await t.shot("done");
    const { body: run } = await t.call("GET", `/bulk/${id}`);
    assert.equal(run.done, run.total);
    assert.ok(run.total >= Math.min(count, 1), JSON.stringify(run));
  },
};
