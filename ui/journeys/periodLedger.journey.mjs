import assert from "node:assert/strict";

export default {
  async "the result of a period is explained"(t) {
    t.allow(404, /ledger\/period$/);
    const schedule = `close <b>${Date.now().toString(36)}</b>`;
    await t.open("", "Overview");
    const claim = async (period, action, reason) => {
      const { body } = await t.call("POST", "/ledger/claim", { schedule, period, claimant: "night shift" });
      if (action) await t.call("POST", "/ledger/end", { schedule, period, token: body.entry.token, operation: action, reason });
    };
    await claim("2026-11-18", "complete");
    await claim("2026-11-19", "fail", "the till was open");
    await claim("2026-11-20");
    const page = await t.open(`fires?schedule=${encodeURIComponent(schedule)}`, "Period ledger"); // the former address
    assert.match(page.url(), /\/period-ledger\?schedule=/);
    const table = page.getByRole("region", { name: `Periods of ${schedule}`, exact: true }).first();
    await table.getByRole("row", { name: /2026-11-18/ }).getByText("succeeded").waitFor();
    await table.getByRole("button", { name: "2026-11-19" }).click();
    const answer = page.getByRole("status").filter({ hasText: "The period has failed" });
    await answer.getByText("The period has failed after being claimed once, last by night shift.").waitFor();
    await answer.getByText("Reason: the till was open.").waitFor();
    await t.accessible();
    await t.shot("failed");
    await page.getByLabel(/^Result of/).fill("2026-11-17");
    await page.keyboard.press("Enter");
    await page.getByText("This period was neither claimed nor recorded as missed.").waitFor();
    assert.equal(new URL(page.url()).searchParams.get("period"), "2026-11-17");
    await t.accessible();
    await t.shot("unknown");
    await page.getByLabel("failed", { exact: true }).check();
    await page.getByRole("button", { name: "2026-11-18" }).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "2026-11-19" }).waitFor();
    assert.ok(await page.getByLabel("failed", { exact: true }).evaluate((box) => box === document.activeElement), "the focus stays");
  },
};
