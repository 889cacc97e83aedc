import assert from "node:assert/strict";

export default {
  async "the history of tasks leads to the execution, the log and the message"(t) {
    await t.open("", "Overview");
    const { body: reports } = await t.call("GET", "/reports");
    assert.ok(reports.length > 0, "the demo has a report");
    const { sequenceId } = reports[0];
    const started = await t.call("POST", `/sequences/${sequenceId}/run`, { reason: "journey" });
    assert.equal(started.status, 201, JSON.stringify(started.body));
    const { id } = started.body;

    const page = await t.open("task-runs", "Task runs");
    await page.getByLabel("Sequence").fill(sequenceId);
    await page.keyboard.press("Enter");
    await page.waitForURL((url) => url.searchParams.get("sequenceId") === sequenceId);
    const row = page.getByRole("row").filter({ has: page.getByRole("link", { name: String(id), exact: true }) });
    await row.filter({ hasText: /1\. [A-Z]/ }).waitFor(); // shows without a reload
    await row.filter({ hasText: /1\. [A-Z]/ }).getByText("Completed").waitFor();
    await page.getByText(`millrace sequences history ${sequenceId}`).waitFor();

    await page.getByRole("button", { name: new RegExp(`^Log and message of .*, execution ${id}$`) }).last().click();
    const message = page.getByRole("region", { name: "Request message" });
    assert.equal(JSON.parse((await message.textContent()) ?? "").executionId, id);
    await t.accessible();
    await t.shot("open");
    await page.getByRole("button", { name: "Close all" }).click();
    await message.waitFor({ state: "detached" });

    await page.setViewportSize({ width: 400, height: 860 });
    const [needed, given] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    assert.ok(needed <= given, `the page needs ${needed} px and has ${given}`);
    await t.accessible();
    await t.shot("phone");
    await page.setViewportSize({ width: 1360, height: 860 });
    await row.first().getByRole("link", { name: String(id), exact: true }).click();
    await page.waitForURL((url) => url.pathname.endsWith(`/instances/${id}`));
  },

  async "the history is read page by page"(t) {
    await t.open("", "Overview");
    const item = (id) => ({
      ...{ executionId: id, sequenceId: "w", task: "KPI", position: 1, status: "ABORTED", retries: 3 },
      ...{ started: "2026-11-21T23:59:59Z", ended: "2026-11-22T00:00:05Z" },
      log: "It failed.\n<b>for good</b>",
      requestMessage: '{"big":12345678901234567890}',
    });
    await t.page.route("**/api/v1/task-visits?*", (route) => {
      const second = new URL(route.request().url()).searchParams.get("cursor") === "after";
      const json = second ? { items: [item(1)], next: null } : { items: [item(3), item(2)], next: "after" };
      return route.fulfill({ json }).catch(() => undefined);
    });
    const page = await t.open("task-runs", "Task runs");
    const link = (id) => page.getByRole("link", { name: String(id), exact: true });
    await link(3).waitFor();
    await page.getByRole("button", { name: "Older" }).click();
    await link(1).waitFor();
    assert.equal(await link(3).count(), 0);
    await page.getByRole("button", { name: "Log and message of KPI, execution 1" }).click();
    await page.getByRole("region", { name: "Log", exact: true }).getByText("<b>for good</b>").waitFor();
    await page.getByText("12345678901234567890").waitFor();
    await page.getByRole("button", { name: "Newer" }).click();
    await link(3).waitFor();
  },
};
