import assert from "node:assert/strict";
import { logIn } from "./traveller.mjs";

const unique = () => `${Date.now().toString(36)}${Math.random().toString(36).slice(2, 6)}`;

/** Calls the HTTP API; fails if the call does. */
async function must(t, method, path, body) {
  const answer = await t.call(method, path, body);
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/**
 * Creates a new type with three tasks. No executor runs them, so an execution stays in its first task until the
 * journey ends it.
 */
async function freshTasks(t) {
  await t.open("tasks", "Tasks");
  const mark = unique();
  const type = `Journey-${mark}`;
  const tasks = ["GATHER", "PRINT", "SEND"].map((name) => `${name}-${mark}`);
  for (const name of tasks) await must(t, "POST", "/tasks", { name, type, component: `nowhere.${name}` });
  return { mark, type, tasks };
}

async function freshSequence(t, schedule = { frequency: "WEEKLY", zone: "Europe/Berlin" }, more = {}) {
  const made = await freshTasks(t);
  const sequenceId = `Journey_${made.mark}`;
  await must(t, "POST", "/sequences", {
    sequenceId,
    type: made.type,
    tasks: made.tasks.map((task) => ({ task })),
    schedule,
    ...more,
  });
  return { ...made, sequenceId };
}

/** Cancels running executions, and removes what the journey has created. */
async function clear(t, { type, tasks, sequenceId }) {
  t.allow(409, /\/(cancel|sequences)/);
  t.allow(404, /\/sequences/);
  if (sequenceId) {
    const { body } = await t.call("GET", `/instances?type=${type}&limit=100`);
    const { body: backfills } = await t.call("GET", "/instances?type=millrace-backfill&limit=100");
    for (const { id, ended } of [...(backfills.items ?? []), ...body.items]) {
      if (!ended) await t.call("POST", `/instances/${id}/cancel`, { reason: "the journey is over" });
    }
    await t.until("the sequence is removed", async () => {
      const { status } = await t.call("DELETE", `/sequences/${sequenceId}`);
      return status === 204 || status === 404 || status;
    });
  }
  for (const name of tasks) await must(t, "DELETE", `/tasks/${name}`);
  await must(t, "DELETE", `/task-types/${type}`);
}

/** Opens the page of a sequence, and waits until its actions are known. */
async function page(t, sequenceId) {
  const view = await t.open(`sequences/${sequenceId}`, new RegExp(sequenceId));
  await view.getByRole("region", { name: "Schedule" }).waitFor();
  return view;
}

/** Opens an action by its button or from the menu. */
async function choose(page, name) {
  const button = page.locator("main").getByRole("button", { name, exact: true });
  if (await button.count()) return button.first().click();
  await page.getByRole("button", { name: "Actions" }).click();
  await page.getByRole("menuitem", { name, exact: true }).click();
}

async function confirm(page, name, button, reason) {
  await choose(page, name);
  const dialog = page.getByRole("dialog");
  if (reason) await dialog.getByLabel(/^Reason/).fill(reason);
  await dialog.getByRole("button", { name: button, exact: true }).click();
  await dialog.waitFor({ state: "detached" });
}

export default {
  async "a sequence is added, and its schedule is explained during typing"(t) {
    t.allow(400, /\/schedules\/explain/);
    const made = await freshTasks(t);
    const [gather, print] = made.tasks;
    const sequenceId = `Journey_${made.mark}`;
    const page = await t.open("sequences", "Sequences");
    await page.getByRole("link", { name: "Add sequence" }).click();
    await page.getByRole("heading", { name: "Add sequence", level: 1 }).waitFor();
    await page.getByRole("button", { name: "Add sequence" }).click();
    await page.getByText("At least one task is needed.").waitFor();
    await page.getByLabel(/^Id/).fill("not an id");
    await page.getByText(/Expected a letter or digit/).waitFor();
    await page.getByLabel(/^Id/).fill(sequenceId);
    await page.getByLabel(/^Type/).selectOption(made.type);

    const choices = page.getByRole("group", { name: "Add a task" });
    await choices.getByRole("button", { name: print }).click();
    await choices.getByRole("button", { name: gather }).click();
    await page.getByRole("button", { name: `Move ${gather} up` }).focus();
    await page.keyboard.press("Alt+ArrowUp");
    await page.getByText(`${gather} is now task 1 of 2.`).waitFor({ state: "attached" });
    assert.deepEqual(await page.locator(".sequence-task-task").allTextContents(), [gather, print]);
    await page.locator(".sequence-task-grip").first().dragTo(page.locator(".sequence-task-row").last());
    await page.getByText(`${gather} is now task 2 of 2.`).waitFor({ state: "attached" });
    await page.getByRole("button", { name: `Move ${gather} up` }).click();
    assert.deepEqual(await page.locator(".sequence-task-task").allTextContents(), [gather, print]);
    await page.locator(".sequence-task-row").first().getByText("Parameters", { exact: true }).click();
    const parameters = page.getByLabel(`Parameters of task 1, ${gather}`);
    await parameters.fill("[1]");
    await page.getByText(/Must be a JSON object/).waitFor();
    await parameters.fill('{"limit": 12345678901234567890}');

    await page.getByText("Schedule preview").waitFor();
    await page.getByLabel("Cron", { exact: true }).check();
    const cron = page.getByRole("combobox", { name: /^Cron/ });
    await cron.fill("0 0 8 * * *");
    await page.getByText(/Expected \? in exactly one/).waitFor();
    await cron.fill("0 0 99 ? * *");
    await page.locator(".form-panel .field-fault").getByText(/99/).waitFor();
    await cron.fill("0/30 0 0 ? * * *");
    await page.locator(".preview").getByText(/It fires 2 times within 30 seconds/).waitFor();
    await page.getByLabel(/^Time zone/).fill("Europe/Berlin");
    await page.locator(".preview").getByRole("columnheader", { name: /Europe/ }).waitFor();
    await page.getByText("Holidays and blackouts").click();
    await page.getByLabel(/^Calendars/).fill('[{"name": "Germany", "holidays": [{"name": "Christmas"}]}]');
    await page.getByText(/Calendar 1, holiday 1: 'date'/).waitFor();
    await page.getByLabel(/^Calendars/).fill("");
    await t.accessible();
    await t.shot("form");
    await page.getByRole("link", { name: "Tasks", exact: true }).click();
    await page.getByRole("dialog", { name: "Leave without saving?" }).getByRole("button", { name: "Stay" }).click();
    assert.equal(await page.getByLabel(/^Id/).inputValue(), sequenceId);
    await page.getByText("The same from a terminal").click();
    await page.getByText(`millrace sequences add ${sequenceId}.json`).waitFor();
    await page.getByRole("button", { name: "Add sequence" }).click();
    await page.getByRole("heading", { name: new RegExp(sequenceId), level: 1 }).waitFor();
    await page.getByText("Parameters", { exact: true }).click();
    await page.getByText("12345678901234567890").waitFor();
    await page.getByRole("region", { name: "Schedule" }).getByText(/It fires 2 times/).waitFor();
    await t.accessible();
    await t.shot("detail");

    await t.open("sequences", "Sequences");
    await page.getByLabel("Part of the id").fill(made.mark.toUpperCase());
    await page.waitForURL((url) => url.searchParams.get("text") === made.mark.toUpperCase());
    await page.getByRole("link", { name: sequenceId }).waitFor();
    await page.getByLabel("Type").selectOption(made.type);
    const row = page.getByRole("row", { name: sequenceId });
    await row.getByText("Not started").waitFor();
    await row.getByText("active").waitFor();
    await t.accessible();
    await t.shot("list");
    await page.setViewportSize({ width: 375, height: 740 });
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    assert.ok(wide <= 0, `the list is ${wide} px too wide`);
    await clear(t, { ...made, sequenceId });
  },

  async "an id in use is reported at its field, and typed input stays"(t) {
    t.allow(400, /\/sequences/);
    t.allow(409, /\/sequences/);
    const made = await freshSequence(t);
    const page = await t.open("add-sequence", "Add sequence");
    await page.getByLabel(/^Id/).fill(made.sequenceId);
    await page.getByLabel(/^Type/).selectOption(made.type);
    await page.getByRole("group", { name: "Add a task" }).getByRole("button", { name: made.tasks[2] }).click();
    await page.getByRole("button", { name: "Add sequence" }).click();
    await page.locator(".form-panel .field-fault").getByText(/There is a sequence/).waitFor();
    assert.equal(await page.getByLabel(/^Id/).getAttribute("aria-invalid"), "true");
    assert.deepEqual(await page.locator(".sequence-task-task").allTextContents(), [made.tasks[2]]);
    await clear(t, made);
  },

  async "two users change a sequence, and neither loses a change"(t) {
    t.allow(409, /\/sequences/);
    const made = await freshSequence(t);
    const page = await t.open(`sequences/${made.sequenceId}/edit`, `Edit ${made.sequenceId}`);
    await page.getByLabel("Frequency").selectOption("DAILY");
    const { tag } = await must(t, "GET", `/sequences/${made.sequenceId}`);
    await must(t, "PUT", `/sequences/${made.sequenceId}?tag=${encodeURIComponent(tag)}`, {
      sequenceId: made.sequenceId,
      type: made.type,
      tasks: made.tasks.map((task) => ({ task })),
      schedule: { frequency: "WEEKLY", zone: "Europe/Berlin" },
      parameters: { theirs: 1 },
    });
    await page.getByRole("button", { name: "Save" }).click();
    const clash = page.getByRole("alert").filter({ hasText: `${t.server.user} has changed ${made.sequenceId} meanwhile` });
    await clash.getByText(/Changed by that user: the parameters/).waitFor();
    await t.accessible();
    await t.shot("clash");
    await clash.getByRole("button", { name: "Reload and keep my changes" }).click();
    assert.equal(await page.getByLabel("Frequency").inputValue(), "DAILY");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { name: new RegExp(`^${made.sequenceId}`), level: 1 }).waitFor();
    const saved = await must(t, "GET", `/sequences/${made.sequenceId}`);
    assert.equal(saved.schedule.frequency, "DAILY");
    assert.deepEqual(JSON.parse(saved.parameters), { theirs: 1 });
    await clear(t, made);
  },

  async "a schedule is paused with a reason and resumed, and a sequence is deactivated and activated"(t) {
    const made = await freshSequence(t);
    const view = await page(t, made.sequenceId);
    await choose(view, "Pause schedule");
    const dialog = view.getByRole("dialog");
    await dialog.getByLabel(/^Reason/).fill("the shop is closed");
    await dialog.getByText("The same from a terminal").click();
    await dialog.getByText(`millrace sequences pause ${made.sequenceId} --reason 'the shop is closed'`).waitFor();
    await t.accessible();
    await dialog.getByRole("button", { name: "Pause", exact: true }).click();
    await dialog.waitFor({ state: "detached" });
    await view.getByText(/The schedule is paused by .*: the shop is closed/).waitFor();
    const schedule = view.getByRole("region", { name: "Schedule", exact: true });
    await schedule.getByText("The schedule does not run (paused), so it does not fire at these times.").waitFor();
    assert.equal(await schedule.getByText("would be due", { exact: true }).count(), 5);
    assert.equal(await schedule.getByText(/^in \d/).count(), 0);
    await t.accessible();
    await t.shot("paused");
    await choose(view, "Request a run");
    await dialog.getByText(/The pause by .* \(the shop is closed\) ends, and the schedule runs again\./).waitFor();
    await dialog.getByRole("button", { name: "Dismiss" }).click();
    await confirm(view, "Resume schedule", "Resume", "open again");
    await view.getByText(/The schedule is paused/).waitFor({ state: "detached" });
    await confirm(view, "Deactivate", "Deactivate");
    await view.locator(".page-head").getByText("inactive").waitFor();
    await confirm(view, "Activate", "Activate");
    await view.locator(".page-head").getByText("active", { exact: true }).waitFor();
    t.allow(404, /\/sequences/); // the page looks once more for what it has removed
    await confirm(view, "Remove", "Remove");
    await view.getByRole("heading", { name: "Sequences", level: 1 }).waitFor();
    await clear(t, made);
  },

  async "a sequence is run manually, its end appears on the open page, and it is restarted"(t) {
    const made = await freshSequence(t);
    const view = await page(t, made.sequenceId);
    await choose(view, "Run now");
    const dialog = view.getByRole("dialog");
    await dialog.getByLabel(/^Parameters/).fill("{oops");
    await dialog.getByText("Invalid JSON").waitFor();
    assert.ok(await dialog.getByRole("button", { name: "Run", exact: true }).isDisabled());
    await dialog.getByLabel(/^Parameters/).fill('{"draft": true}');
    await dialog.getByText("The same from a terminal").click();
    await dialog.getByText(`millrace sequences run ${made.sequenceId} --parameters '{"draft":true}'`).waitFor();
    await dialog.getByRole("button", { name: "Run", exact: true }).click();
    await view.getByRole("status").getByRole("link", { name: /execution \d+/ }).waitFor();
    await view.locator(".page-head").getByText("In progress").waitFor();
    await view.getByRole("region", { name: "Slots", exact: true }).getByText("Running").waitFor();
    const { executionId } = await must(t, "GET", `/sequences/${made.sequenceId}`);
    await must(t, "POST", `/instances/${executionId}/cancel`, { reason: "a mistake" });
    await view.locator(".page-head").getByText("Aborted").waitFor();
    await view.getByRole("region", { name: "Slots", exact: true }).getByText("Aborted").waitFor();
    await t.accessible();
    await t.shot("aborted");
    await confirm(view, "Restart", "Restart", "once more");
    await view.locator(".page-head").getByText("Aborted").waitFor({ state: "detached" });
    await view.locator(".page-head").getByText("In progress").waitFor();
    await view.getByRole("region", { name: "Slots", exact: true }).getByText("restart", { exact: true }).waitFor();
    await clear(t, made);
  },

  async "a paused execution is shown on all pages, with a link to where it is resumed"(t) {
    const made = await freshSequence(t);
    const { id } = await must(t, "POST", `/sequences/${made.sequenceId}/run`, {});
    await must(t, "POST", `/instances/${id}/pause`, { reason: "the printer burns" });
    const view = await page(t, made.sequenceId);
    await view.locator(".page-head").getByText("Execution paused").waitFor();
    await view.getByText(/is paused at GATHER-\w+, and the schedule waits for its end/).waitFor();
    await view.getByText("not scheduled: execution paused").waitFor();
    await t.accessible();
    await t.shot("execution paused");
    await t.open(`sequences?text=${made.mark}`, "Sequences");
    await view.getByRole("row", { name: made.sequenceId }).getByText("Execution paused").waitFor();
    await t.open(`task-runs?sequenceId=${made.sequenceId}`, "Task runs");
    await view.getByRole("table").getByText("Execution paused").waitFor();
    await page(t, made.sequenceId);
    await view.getByRole("link", { name: `Execution ${id}` }).click();
    await view.getByRole("button", { name: "Resume", exact: true }).click();
    await view.getByRole("dialog").getByRole("button", { name: "Resume", exact: true }).click();
    await page(t, made.sequenceId);
    await view.locator(".page-head").getByText("In progress").waitFor();
    await clear(t, made);
  },

  // The demo registers no sequence from a file, so the answer is a fake.
  async "a sequence that a file registers says so where it is changed"(t) {
    const made = await freshSequence(t);
    await t.page.route(`**/api/v1/sequences/${made.sequenceId}`, async (route) => {
      const response = await route.fetch();
      return route.fulfill({ response, json: { ...(await response.json()), origin: "stock.json" } }).catch(() => undefined);
    });
    const view = await page(t, made.sequenceId);
    await view.getByText(/Registered from stock\.json at each server start/).waitFor();
    await choose(view, "Deactivate");
    const dialog = view.getByRole("dialog");
    await dialog.getByText(/registers the sequence from stock\.json again\. To stop it for longer, pause it/).waitFor();
    await dialog.getByRole("button", { name: "Dismiss" }).click();
    await view.getByRole("link", { name: "Edit" }).click();
    await view.getByText(/which overwrites changes made here/).waitFor();
    await view.getByText("Parameters for all tasks", { exact: true }).first().click();
    await view.getByText("overrides the parameters of each task").waitFor();
    await t.accessible();
    await t.shot("of a file");
    await t.page.unroute(`**/api/v1/sequences/${made.sequenceId}`);
    await clear(t, made);
  },

  async "missed slots are listed first, and then run"(t) {
    const made = await freshSequence(t, { every: "PT1H" }, { active: false });
    const view = await page(t, made.sequenceId);
    await choose(view, "Backfill");
    const dialog = view.getByRole("dialog");
    const hour = (back) => {
      const at = new Date(Date.now() - back * 3_600_000);
      const two = (number) => String(number).padStart(2, "0");
      return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}T${two(at.getHours())}:30`;
    };
    await dialog.getByLabel(/^From/).fill(hour(2));
    await dialog.getByLabel(/^To/).fill(hour(5));
    await dialog.getByText("The end is not after the start.").waitFor();
    await dialog.getByLabel(/^From/).fill(hour(5));
    await dialog.getByLabel(/^To/).fill(hour(2));
    await dialog.getByRole("button", { name: "List slots" }).click();
    await dialog.getByText("3 slots of 3 to run.").waitFor();
    assert.equal(await dialog.getByText("to run", { exact: true }).count(), 3);
    await t.accessible();
    await t.shot("slots");
    await dialog.getByLabel(/^Reason/).fill("the numbers were wrong");
    await dialog.getByRole("button", { name: "Run 3 slots" }).click();
    await view.getByRole("status").getByRole("link", { name: /instance \d+/ }).first().waitFor();
    await view.getByRole("region", { name: "Slots", exact: true }).getByText("backfill", { exact: true }).first().waitFor();
    await view.getByText("Backfill: 1 of 3 slots").waitFor(); // none of its tasks runs, so the second slot waits
    assert.equal(await view.getByRole("progressbar", { name: "Slots that have run" }).getAttribute("aria-valuenow"), "33");
    await clear(t, made);
  },

  async "a viewer sees sequences and tasks, and no button that would be rejected"(t) {
    const made = await freshSequence(t);
    const name = `viewer-${made.mark}`;
    const { password } = await must(t, "POST", "/users", { name, role: "viewer" });
    const session = await logIn(t.page.context().browser(), { ...t.server, user: name, password });
    const viewer = await t.another(session);
    await t.open("sequences", "Sequences", viewer.page);
    await viewer.page.getByRole("link", { name: made.sequenceId }).click();
    await viewer.page.getByRole("heading", { name: new RegExp(made.sequenceId), level: 1 }).waitFor();
    await viewer.page.getByRole("region", { name: "Slots", exact: true }).waitFor();
    for (const button of ["Run now", "Edit", "Actions"]) {
      assert.equal(await viewer.page.locator(".page-actions").getByText(button).count(), 0, button);
    }
    await t.open("add-sequence", "Add sequence", viewer.page);
    await viewer.page.getByText("Only operators can change sequences.").waitFor();
    await t.open("tasks", "Tasks", viewer.page);
    await viewer.page.getByText(made.tasks[0], { exact: true }).waitFor();
    assert.equal(await viewer.page.getByRole("button", { name: /task|type/i }).count(), 0);
    await viewer.close();
    await must(t, "DELETE", `/users/${name}`);
    await clear(t, made);
  },

  async "it works at the width of a phone"(t) {
    const made = await freshSequence(t);
    await t.page.setViewportSize({ width: 375, height: 740 });
    for (const [path, title] of [
      [`sequences/${made.sequenceId}`, new RegExp(made.sequenceId)],
      [`sequences/${made.sequenceId}/edit`, `Edit ${made.sequenceId}`],
      ["tasks", "Tasks"],
    ]) {
      const view = await t.open(path, title);
      await view.locator(".loading").first().waitFor({ state: "detached" });
      const wide = await view.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      assert.ok(wide <= 0, `${path} is ${wide} px too wide`);
    }
    await clear(t, made);
  },
};
