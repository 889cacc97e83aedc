import assert from "node:assert/strict";

export default {
  async "a maintenance is planned, changed, started and completed, and visitors see it"(t) {
    const title = `Disks <b>${Date.now().toString(36)}</b>`;
    const page = await t.open("maintenance", "Maintenance");
    await page.getByRole("button", { name: "Plan maintenance" }).click();
    const dialog = page.getByRole("dialog");
    assert.ok(await dialog.getByRole("button", { name: "Plan", exact: true }).isDisabled());
    await dialog.getByLabel(/^Title/).fill(title);
    await dialog.getByLabel(/^From/).fill("2031-01-05T10:00:00");
    await dialog.getByLabel(/^Until/).fill("2031-01-05T09:00:00");
    await dialog.getByText("Expected a time after the start.").waitFor();
    await dialog.getByLabel(/^Until/).fill("2031-01-05T11:00:00");
    await dialog.getByLabel(/^Affected/).fill("billing");
    await t.accessible();
    await dialog.getByRole("button", { name: "Plan", exact: true }).click();
    await dialog.waitFor({ state: "detached" });
    const row = page.getByRole("row", { name: title });
    await row.getByText("scheduled").waitFor();
    await row.getByText("billing").waitFor();

    await page.getByRole("button", { name: `Change ${title}` }).click();
    await dialog.getByLabel(/^Impact/).selectOption("outage");
    await dialog.getByRole("button", { name: "Save", exact: true }).click();
    await dialog.waitFor({ state: "detached" });

    await page.getByRole("button", { name: `Start: ${title}` }).click();
    await dialog.getByLabel(/^Reason/).fill("the disks are here");
    await dialog.getByRole("button", { name: "Start", exact: true }).click();
    await row.getByText("in progress").waitFor();
    await t.accessible();
    await t.shot("maintenance");

    const { body: all } = await t.call("GET", "/maintenances");
    const mine = all.find(({ plan }) => plan.title === title);
    assert.deepEqual([mine.plan.impact, mine.revision], ["outage", 2]);
    await page.getByRole("link", { name: "Status page" }).click();
    await page.getByRole("heading", { name: "Planned maintenance" }).waitFor();
    const article = page.locator("article").filter({ hasText: title });
    await article.getByText("In progress").waitFor();
    await article.getByText(/Expect: an outage/).waitFor();
    await t.shot("status page");
    await page.goBack();

    await page.getByRole("button", { name: `Complete: ${title}` }).click();
    await dialog.getByRole("button", { name: "Complete", exact: true }).click();
    await row.getByText("completed").waitFor();
    assert.equal(await page.getByRole("button", { name: `Change ${title}` }).count(), 0, "what is over stays as it is");
  },

  async "an invalid address is rejected with the reason"(t) {
    t.allow(409, /\/subscriptions/);
    t.allow(400, /\/subscriptions/);
    const page = await t.open("maintenance", "Maintenance");
    await page.getByRole("button", { name: "Add address" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel(/^Address/).fill("nobody");
    await dialog.getByText(/Expected ann@example.org/).waitFor();
    await dialog.getByLabel(/^Address/).fill("ann@example.org");
    await dialog.getByRole("button", { name: "Add", exact: true }).click();
    await dialog.getByText(/set observe.mail.host/).first().waitFor();
    await dialog.getByLabel(/^Address/).fill("http://10.0.0.7/hook");
    await dialog.getByRole("button", { name: "Add", exact: true }).click();
    await dialog.getByText(/private address/).first().waitFor();
  },

  async "the calendar shows planned maintenances, as a month and as a list"(t) {
    const title = `Cables <i>${Date.now().toString(36)}</i>`;
    const page = await t.open("maintenance", "Maintenance");
    const day = await page.evaluate(() => {
      const now = new Date();
      return new Date(now.getFullYear(), now.getMonth() + 1, 14, 22).toISOString();
    });
    const until = new Date(Date.parse(day) + 4 * 3_600_000).toISOString();
    const { status } = await t.call("POST", "/maintenances", { title, from: day, until });
    assert.equal(status, 201);
    const panel = page.getByRole("region", { name: "Calendar", exact: true });
    await panel.getByRole("button", { name: "Next month" }).click();
    const links = panel.getByRole("link", { name: title });
    await t.until("it is on both sides of midnight", async () => (await links.count()) === 2 || (await links.count()));
    const cell = panel.getByRole("cell", { name: /^14/ }).first();
    await cell.getByRole("listitem").filter({ hasText: title }).getByText("from 22:00").waitFor();
    await t.accessible();
    await t.shot("month");
    await panel.getByRole("button", { name: "List" }).click();
    await panel.getByRole("listitem").filter({ hasText: /\d{4}-\d\d-14/ }).first().getByRole("link", { name: title }).waitFor();
    await t.accessible();
    const calendar = await panel.getByRole("link", { name: "iCal" }).getAttribute("href");
    const answer = await page.context().request.get(calendar);
    assert.match(await answer.text(), /BEGIN:VCALENDAR/);
    await panel.getByRole("button", { name: "Today" }).click();
  },
};
