import assert from "node:assert/strict";

/** Returns the first report sequence of the demo. */
async function firstReport(t) {
  await t.open("", "Overview");
  const { body } = await t.call("GET", "/reports");
  assert.ok(body.length > 0, "the demo has a report");
  return body[0];
}

const row = (page, title) => page.getByRole("row").filter({ hasText: title });

export default {
  async "a report is run now, and its PDF is a click away"(t) {
    const { title, sequenceId, executionId: before } = await firstReport(t);
    const page = await t.open("reports", "Reports");
    await row(page, title).getByRole("link", { name: sequenceId }).waitFor();
    await t.accessible();
    await page.getByRole("button", { name: `Run now: ${title}` }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel(/^Reason/).fill("journey");
    await dialog.getByText("The same from a terminal").click();
    const lines = await dialog.locator(".code-line code").allTextContents();
    assert.equal(lines[0], `millrace sequences run ${sequenceId} --reason journey`);
    assert.ok(lines[1]?.includes(`/api/v1/sequences/${sequenceId}/run`), lines[1]);
    await t.accessible();
    await dialog.getByRole("button", { name: "Run now" }).click();
    const started = page.locator(".toast").getByRole("link", { name: /^execution \d+$/ });
    const id = Number((await started.textContent())?.replace(/\D/g, ""));
    assert.notEqual(id, before);

    await t.until(`execution ${id} has made a report`, async () => {
      const { body } = await t.call("GET", "/reports");
      const one = body.find((report) => report.sequenceId === sequenceId);
      return one.executionId === id || one;
    });
    const pdf = row(page, title).getByRole("link", { name: /\.pdf$/ });
    await t.until("the page shows the new PDF", async () => (await pdf.getAttribute("href"))?.endsWith(`/api/v1/reports/${id}/pdf`) ?? false);
    const file = await page.request.get(await pdf.evaluate((link) => link.href));
    assert.equal(file.status(), 200);
    assert.equal((await file.body()).subarray(0, 5).toString(), "%PDF-");
    await t.shot("with a PDF");
    await page.setViewportSize({ width: 400, height: 860 });
    await t.accessible();
    await t.shot("phone");
  },

  async "a report is deactivated and activated"(t) {
    const { title, active } = await firstReport(t);
    const page = await t.open("reports", "Reports");
    for (const verb of active ? ["Deactivate", "Activate"] : ["Activate", "Deactivate"]) {
      await page.getByRole("button", { name: `${verb} ${title}` }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("button", { name: verb, exact: true }).click();
      await dialog.waitFor({ state: "detached" });
      await row(page, title)
        .getByText(verb === "Activate" ? "active" : "inactive", { exact: true })
        .waitFor();
    }
  },

  // An aborted execution cannot be produced on demand, so the answers are fake.
  async "actions and texts of a report follow its state"(t) {
    const report = await firstReport(t);
    const other = (sequenceId, more) => ({
      ...{ ...report, sequenceId, title: `${sequenceId} report`, executionId: null, fileName: null, files: [], runRequested: false },
      ...{ status: "COMPLETED", active: true, pausedBy: null, pauseReason: null, executionPaused: false, actions: [] },
      ...more,
    });
    const json = [
      other("Aborted", { status: "ABORTED", actions: ["deactivate", "pause", "run", "restart", "backfill"] }),
      other("Paused", { pausedBy: "ann", pauseReason: "closed", actions: ["deactivate", "resume", "run", "request-run"] }),
      other("Running", { status: "IN_PROGRESS", actions: ["deactivate", "pause", "request-run"] }),
      other("Stopped", { status: "IN_PROGRESS", executionPaused: true, actions: ["deactivate", "pause"] }),
    ];
    await t.page.route("**/api/v1/reports", (route) => route.fulfill({ json }).catch(() => undefined));
    const page = await t.open("reports", "Reports");
    await row(page, "Aborted report").getByText("none yet").waitFor();
    await row(page, "Aborted report").getByText("not scheduled: aborted").waitFor();
    await row(page, "Paused report").getByText("paused", { exact: true }).waitFor();
    await row(page, "Paused report").getByText("not scheduled: paused").waitFor();
    await row(page, "Stopped report").getByText("Execution paused").waitFor();
    assert.equal(await row(page, "Paused report").getByText("active", { exact: true }).count(), 0);
    const buttons = async (name) => (await row(page, `${name} report`).getByRole("button").allTextContents()).join();
    assert.equal(await buttons("Aborted"), "Restart,Run now,Deactivate");
    assert.equal(await buttons("Paused"), "Resume,Run now,Deactivate");
    assert.equal(await buttons("Running"), "Deactivate");
    await t.accessible();
    await t.shot("as they stand");
    await page.getByRole("button", { name: "Restart Aborted report" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("The same from a terminal").click();
    await dialog.getByText("millrace sequences restart Aborted").waitFor();
    await dialog.getByRole("button", { name: "Dismiss" }).click();
    await page.getByRole("button", { name: "Run now: Aborted report" }).click();
    await dialog.getByText(/When this run succeeds, the schedule runs again\./).waitFor();
  },
};
