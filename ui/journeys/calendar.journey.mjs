import assert from "node:assert/strict";

const berlin = "zone=Europe%2FBerlin";

/** Returns the day in a zone that is so many days from now, "2026-11-22". */
function dayFromNow(days, zone = "Europe/Berlin") {
  return new Intl.DateTimeFormat("en-CA", { timeZone: zone }).format(Date.now() + days * 86_400_000);
}

/** Returns a task for a sequence; registers one if there is none. */
async function anyTask(t) {
  const { body: tasks } = await t.call("GET", "/tasks");
  if (tasks.length) return tasks[0];
  const { status, body } = await t.call("POST", "/tasks", { name: "JOURNEY", type: "Journey", component: "journey" });
  assert.equal(status, 201, JSON.stringify(body));
  return body;
}

/** Adds a sequence that fires at 02:30 in Berlin, for the duration of a journey. */
async function withWorkflow(t, journey) {
  await t.open("", "Overview");
  const task = await anyTask(t);
  const sequenceId = `journey_${Date.now()}`;
  const holiday = { name: "Founding day", date: dayFromNow(2), yearly: false };
  const schedule = {
    cron: "0 30 2 ? * * *",
    zone: "Europe/Berlin",
    dst: "BOTH",
    calendars: [{ name: "Journeys", holidays: [holiday] }],
  };
  const sequence = { sequenceId, type: task.type, tasks: [{ task: task.name }], schedule };
  const { status, body } = await t.call("POST", "/sequences", sequence);
  assert.equal(status, 201, JSON.stringify(body));
  try {
    await journey(sequenceId);
  } finally {
    t.allow(404, new RegExp(`/sequences/${sequenceId}/`)); // what the page still asks of it
    await t.call("DELETE", `/sequences/${sequenceId}`);
  }
}

/** Returns the cell of a day in the month. */
const cellOf = (page, day) => page.locator(`.month td:has([data-day="${day}"])`);

export default {
  async "the calendar shows planned slots, and links to their sequence"(t) {
    await withWorkflow(t, async (sequenceId) => {
      const tomorrow = dayFromNow(1);
      const page = await t.open(`calendar?day=${tomorrow}&${berlin}`, "Calendar");
      await page.getByText("Next 24 hours").waitFor();
      assert.equal(await page.locator(".load-hour").count(), 24);
      await page.getByText(/planned, (most of them )?from/).waitFor();
      const slot = cellOf(page, tomorrow).getByRole("link", { name: `02:30 ${sequenceId}` });
      await slot.hover();
      const hint = page.getByRole("tooltip");
      await hint.getByText("Planned:").waitFor();
      await hint.getByText(sequenceId).waitFor();
      await page.keyboard.press("Escape");
      await hint.waitFor({ state: "detached" });

      const closed = page.locator(`[data-day="${dayFromNow(2)}"]`);
      if ((await closed.count()) === 0) await page.getByRole("button", { name: "Next month" }).click();
      assert.match((await closed.getAttribute("aria-label")) ?? "", /Founding day/);
      await t.accessible();
      await t.shot("month");
      await t.open(`calendar?day=${tomorrow}&${berlin}`, "Calendar");
      await slot.click();
      await page.getByRole("heading", { level: 1, name: sequenceId }).waitFor();
    });
  },

  async "a day is reached and listed by the keyboard"(t) {
    const page = await t.open("calendar", "Calendar");
    const period = page.locator(".calendar-head h2");
    const now = await period.textContent();
    const turned = (text) => t.until(`the calendar shows ${text}`, async () => (await period.textContent()) === text || period.textContent());
    await page.keyboard.press("n");
    await t.until("the next month is shown", async () => (await period.textContent()) !== now);
    await page.keyboard.press("p");
    await turned(now);
    await page.keyboard.press("n");
    await page.keyboard.press("t");
    await turned(now);
    const today = page.locator("[data-day][aria-current=date]");
    await today.focus();
    await page.keyboard.press("ArrowRight");
    await t.until("the day after today has the focus", async () => {
      const [from, to] = await page.evaluate(() => [
        document.querySelector("[data-day][aria-current=date]")?.getAttribute("data-day"),
        document.activeElement?.getAttribute("data-day"),
      ]);
      return from !== to && Boolean(to);
    });
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").getByText(/^Times in /).waitFor();
    await t.accessible();
    await t.shot("day");
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.keyboard.press("w");
    await page.getByRole("table", { name: "Slots of the week by hour" }).waitFor();
    await page.keyboard.press("t");
    await page.locator(".now-line").waitFor();
    await t.accessible();
    await t.shot("week");
    await page.keyboard.press("l");
    await page.getByRole("button", { name: "List" }).and(page.locator("[aria-pressed=true]")).waitFor();
    await t.accessible();
  },

  async "days with clock changes say so, and repeated hours are distinguished"(t) {
    await withWorkflow(t, async (sequenceId) => {
      const page = await t.open(`calendar?view=week&day=2027-03-28&${berlin}`, "Calendar");
      await page.getByText("skipped", { exact: true }).waitFor();
      assert.match((await page.locator('[data-day="2027-03-28"]').getAttribute("aria-label")) ?? "", /Europe\/Berlin/);
      await t.accessible();
      await t.shot("spring");
      await t.open(`calendar?view=week&day=2027-10-31&${berlin}`, "Calendar");
      await page.getByText("occurs twice").waitFor();
      await page.getByRole("link", { name: `02:30 ${sequenceId}, ` }).last().waitFor();
      await page.getByRole("link", { name: `02:30 (2nd) ${sequenceId}, ` }).waitFor();
      await t.shot("autumn");
      // In UTC the two are different times, and no day is longer than another.
      await page.getByLabel("Zone").selectOption("UTC");
      await page.getByRole("link", { name: `00:30 ${sequenceId}, ` }).last().waitFor();
      await page.getByRole("link", { name: `01:30 ${sequenceId}, ` }).last().waitFor();
      assert.equal(await page.getByText("occurs twice").count(), 0);
      await page.waitForURL((url) => url.searchParams.get("zone") !== "Europe/Berlin");
    });
  },

  async "many slots are counted, and a phone gets a list"(t) {
    await t.open("", "Overview");
    const now = new Date();
    const day = now.toISOString().slice(0, 10);
    const outcomes = ["completed", "running", "aborted", "skipped", "missed"];
    const slots = Array.from({ length: 96 }, (_, index) => ({
      sequenceId: `stock-${index % 8}`,
      at: new Date(Date.parse(day) + index * 900_000).toISOString(),
      outcome: outcomes[index % 5],
      cause: "schedule",
      count: index === 4 ? 24 : 1,
      reason: index === 4 ? "<b>Nobody</b> was there." : null,
      executionId: index % 5 < 3 ? 1 : null,
    }));
    const json = {
      now: now.toISOString(),
      slots,
      clockChanges: [],
      closed: [],
      load: Array.from({ length: 24 }, (_, hour) => (hour === 3 ? 9 : 1)),
      truncated: true,
    };
    await t.page.route("**/api/v1/calendar?*", (route) => route.fulfill({ json }).catch(() => undefined));
    const page = await t.open(`calendar?day=${day}&zone=UTC`, "Calendar");
    await page.getByText("Not all slots of this period are shown").waitFor();
    await page.getByText(/^32 slots planned, most of them from \d\d:00 to \d\d:00: 9\.$/).waitFor();
    const cell = cellOf(page, day);
    assert.deepEqual(
      (await cell.locator(".mark-chip").allTextContents()).map((text) => text.trim().replace(/\s+/g, " ")),
      ["20 completed", "19 running", "19 aborted", "19 skipped", "42 missed"],
    );
    await cell.getByRole("button", { name: "42 missed, list them" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("<b>Nobody</b> was there.").waitFor();
    assert.equal(await dialog.getByRole("listitem").count(), 96);
    await t.shot("many");
    await page.keyboard.press("Escape");

    await page.setViewportSize({ width: 400, height: 860 });
    const section = page.locator("section").filter({ has: page.getByRole("heading", { name: "today" }) });
    await section.getByRole("button", { name: /^List all/ }).waitFor();
    const [needed, given] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    assert.ok(needed <= given, `the page needs ${needed} px and has ${given}`);
    await t.accessible();
    await t.shot("phone");
  },
};
