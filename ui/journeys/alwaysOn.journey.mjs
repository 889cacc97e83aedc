import assert from "node:assert/strict";

const hour = 3_600_000;
const ago = (hours) => new Date(Date.now() - hours * hour).toISOString();

/** Answers as a server with one continuous workflow does, and what it was asked to do. */
async function pretend(t) {
  const workflow = {
    ...{ name: "in <b>box", group: "default", type: "in-box", settings: '{"trigger":"webhook"}', desired: "on", state: "waiting" },
    ...{ request: null, executorId: 7, preferred: null, epoch: 3, position: '{"id":77}' },
    run: { chain: 2, generation: 3, chainStarted: ago(20), started: ago(0.5), mode: "AutoStart (Continuation)", reason: "HOURLY" },
    work: { iterations: 12, fires: 1234, lastFire: ago(0.1), lastEnd: ago(0.1), lastResult: "finished", executionId: null },
    trouble: { restarts: 0, backOffUntil: null, crashLoop: false, error: null, downSince: null, debugUntil: null, debugBy: null },
  };
  const event = (id, hours, type, generation, reason) => ({
    ...{ id, at: ago(hours), type, reason, executorId: 7, chain: 2, generation, epoch: 3 },
    detail: type === "lost" ? '<img src="x" onerror="alert(1)">' : null,
  });
  const events = [
    event(5, 0.5, "continued", 3, "HOURLY"),
    event(4, 2, "started", 2, "FAILOVER"),
    event(3, 3, "lost", 1, "FAILOVER"),
    event(2, 20, "started", 1, "MANUAL"),
    event(1, 20, "switched_on", 0, "MANUAL"),
  ];
  const state = { unmet: [], asked: [] };
  await t.page.route(/\/api\/v1\/always-on(\/|\?|$)/, (route) => {
    const request = route.request();
    const [, , deed] = new URL(request.url()).pathname.replace(/.*\/api\/v1/, "").split("/").slice(1);
    const answer = (json) => route.fulfill({ json }).catch(() => undefined);
    if (request.method() !== "GET") {
      const body = request.postDataJSON();
      state.asked.push([deed, body]);
      if (deed === "desired") Object.assign(workflow, { desired: body.desired, state: body.desired === "on" ? "waiting" : "off" });
      if (deed === "continue" && state.unmet.length) {
        const problem = { type: "conflict", title: "Not now", status: 409, detail: "It cannot be continued now." };
        return route.fulfill({ status: 409, contentType: "application/problem+json", json: problem });
      }
      return deed === "run" ? route.fulfill({ status: 201, json: { id: 1 } }) : route.fulfill({ status: 204 });
    }
    if (deed === "events") return answer(events);
    if (request.url().includes("/always-on/")) return answer({ workflow, unmet: state.unmet, downtimeMs: hour });
    return answer({ items: [workflow], next: null });
  });
  return state;
}

export default {
  async "a continuous workflow is switched off and on"(t) {
    await t.open("", "Overview");
    const { asked } = await pretend(t);
    const page = await t.open("always-on", "Always on");
    const row = page.getByRole("row", { name: "in <b>box" });
    await row.getByText("2/3").waitFor();
    await row.getByText("its time was up").waitFor();
    await row.getByText("1 h", { exact: true }).waitFor();
    const toggle = row.getByRole("switch", { name: "in <b>box shall run" });
    assert.equal(await toggle.getAttribute("aria-checked"), "true");
    await t.accessible();
    await t.shot("list");
    await toggle.focus();
    await page.keyboard.press("Space");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel(/^Reason/).fill("closed");
    await dialog.getByText("The same from a terminal").click();
    await dialog.getByText("millrace always-on off 'in <b>box' --reason closed").waitFor();
    await dialog.getByRole("button", { name: "Switch off" }).click();
    await dialog.waitFor({ state: "detached" });
    assert.deepEqual(asked, [["desired", { desired: "off", reason: "closed" }]]);
    await page.locator('[role=switch][aria-checked="false"]').waitFor();
    assert.ok(await toggle.evaluate((element) => element === document.activeElement), "the focus goes back");
    await toggle.click();
    await dialog.getByRole("button", { name: "Switch on" }).click();
    await page.locator('[role=switch][aria-checked="true"]').waitFor();
  },

  async "its generations are told apart, and a continuation that is refused says why"(t) {
    t.allow(409, /\/continue$/);
    await t.open("", "Overview");
    const state = await pretend(t);
    await t.open("always-on", "Always on");
    const page = t.page;
    await page.getByRole("link", { name: "in <b>box" }).click();
    await page.getByRole("heading", { name: /^in <b>box/, level: 1 }).waitFor();
    const legend = "Generations in 24 hours: 1 started, 1 not running, 1 after a crash, 1 continuation";
    await page.getByRole("img", { name: legend }).waitFor();
    await page.getByText('<img src="x" onerror="alert(1)">').waitFor();
    await page.getByText("Nothing keeps the next generation from beginning.").waitFor();
    await t.accessible();
    await t.shot("one");

    state.unmet = ["execution 4711 of it runs", "the run began at 2026-11-22T10:00:00Z, less than PT1H ago"];
    await page.getByRole("button", { name: "Continue…" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Continue", exact: true }).click();
    const alert = dialog.getByRole("alert");
    await alert.getByText("execution 4711 of it runs").waitFor();
    await alert.getByText(/less than 1 h ago/).waitFor();
    await t.accessible();
    await t.shot("refused");
    state.unmet = [];
    await dialog.getByRole("button", { name: "Continue", exact: true }).click();
    await dialog.waitFor({ state: "detached" });
    assert.deepEqual(state.asked.map(([deed]) => deed), ["continue", "continue"]);

    await page.getByRole("button", { name: "Run now…" }).click();
    await dialog.getByLabel(/^Event/).fill("{");
    assert.ok(await dialog.getByRole("button", { name: "Run", exact: true }).isDisabled());
    await dialog.getByLabel(/^Event/).fill('{"order":1}');
    await dialog.getByRole("button", { name: "Leave it" }).click();
    await page.getByRole("button", { name: "Look into it…" }).click();
    await dialog.getByRole("button", { name: "Look into it", exact: true }).click();
    await dialog.waitFor({ state: "detached" });
    assert.deepEqual(state.asked.at(-1), ["debug", {}]);
  },
};
