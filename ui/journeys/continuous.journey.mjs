import assert from "node:assert/strict";

const hour = 3_600_000;
const ago = (hours) => new Date(Date.now() - hours * hour).toISOString();

/** Fakes a server with one continuous workflow; returns its state with the recorded requests. */
async function pretend(t) {
  const workflow = {
    ...{ name: "in <b>box", group: "default", type: "in-box", settings: '{"trigger":"webhook"}', enabled: true, state: "waiting" },
    ...{ request: null, executorId: 7, preferred: null, epoch: 3, position: '{"id":77}' },
    run: { series: 2, generation: 3, seriesStarted: ago(20), started: ago(0.5), mode: "AutoStart (Continuation)", reason: "HOURLY" },
    activity: { iterations: 12, fires: 1234, lastFire: ago(0.1), lastEnd: ago(0.1), lastResult: "finished", executionId: null },
    health: { failures: 0, backOffUntil: null, crashLoop: false, error: null, downSince: null, debugUntil: null, debugBy: null },
  };
  const entry = (id, hours, type, generation, reason) => ({
    ...{ id, at: ago(hours), type, reason, executorId: 7, series: 2, generation, epoch: 3 },
    detail: type === "lost" ? '<img src="x" onerror="alert(1)">' : null,
  });
  const log = [
    entry(5, 0.5, "continued", 3, "HOURLY"),
    entry(4, 2, "started", 2, "FAILOVER"),
    entry(3, 3, "lost", 1, "FAILOVER"),
    entry(2, 20, "started", 1, "MANUAL"),
    entry(1, 20, "enabled", 0, "MANUAL"),
  ];
  const state = { unmet: [], asked: [] };
  await t.page.route(/\/api\/v1\/continuous-workflows(\/|\?|$)/, (route) => {
    const request = route.request();
    const [, , action] = new URL(request.url()).pathname.replace(/.*\/api\/v1/, "").split("/").slice(1);
    const answer = (json) => route.fulfill({ json }).catch(() => undefined);
    if (request.method() !== "GET") {
      const body = request.postDataJSON();
      state.asked.push([action, body]);
      if (action === "enable" || action === "disable") Object.assign(workflow, { enabled: action === "enable", state: action === "enable" ? "waiting" : "disabled" });
      if (action === "continue" && state.unmet.length) {
        const problem = { type: "conflict", title: "Not now", status: 409, detail: "It cannot be continued now." };
        return route.fulfill({ status: 409, contentType: "application/problem+json", json: problem });
      }
      return action === "run" ? route.fulfill({ status: 201, json: { id: 1 } }) : route.fulfill({ status: 204 });
    }
    if (action === "log") return answer(log);
    if (request.url().includes("/continuous-workflows/")) return answer({ workflow, unmet: state.unmet, downtimeMs: hour });
    return answer({ items: [workflow], next: null });
  });
  return state;
}

export default {
  async "a continuous workflow is disabled and enabled"(t) {
    const page = await t.open("continuous-workflows", "Continuous workflows");
    const row = page.getByRole("row", { name: /till-watch/ });
    const toggle = row.getByRole("switch", { name: "till-watch is enabled" });
    await row.getByText(/^(waiting|running)$/).waitFor();
    await page.getByRole("row", { name: /folder-watch/ }).getByText(/^(waiting|running)$/).waitFor();
    await t.accessible();
    await t.shot("list");
    await toggle.focus();
    await page.keyboard.press("Space");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel(/^Reason/).fill("closed");
    await dialog.getByText("The same from a terminal").click();
    await dialog.getByText("millrace continuous disable till-watch --reason closed").waitFor();
    await dialog.getByRole("button", { name: "Disable" }).click();
    await dialog.waitFor({ state: "detached" });
    await row.locator('[role=switch][aria-checked="false"]').waitFor();
    await row.locator(".always-state").getByText("disabled", { exact: true }).waitFor();
    assert.ok(await toggle.evaluate((element) => element === document.activeElement), "the focus goes back");
    await page.getByRole("search").getByRole("combobox").selectOption("false");
    await page.getByRole("row", { name: /folder-watch/ }).waitFor({ state: "detached" });
    await toggle.click();
    await dialog.getByRole("button", { name: "Enable" }).click();
    await page.getByText("No continuous workflow matches").waitFor();
    await page.getByRole("search").getByRole("combobox").selectOption("");
    await row.getByText(/^(waiting|running)$/).waitFor();
    const { body: log } = await t.call("GET", "/continuous-workflows/till-watch/log?limit=20");
    const disabled = log.find(({ type }) => type === "disabled");
    assert.ok(disabled, JSON.stringify(log));
  },

  async "a continuation is refused with its reasons, and one execution is run without the trigger"(t) {
    t.allow(409, /\/continue$/);
    const page = await t.open("continuous-workflows/folder-watch", /^folder-watch/);
    await page.getByText("The next run cannot start now:").waitFor();
    await page.getByRole("button", { name: "Continue…" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Continue", exact: true }).click();
    await dialog.getByRole("alert").getByText(/less than 1 h ago/).waitFor();
    await dialog.getByRole("button", { name: "Dismiss" }).click();
    await page.getByRole("button", { name: "Debug…" }).click();
    await dialog.getByRole("button", { name: "Debug", exact: true }).click();
    await page.getByText("being debugged", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Stop debugging…" }).click();
    await dialog.getByText(/You are debugging it\./).waitFor();
    await dialog.getByRole("button", { name: "Stop", exact: true }).click();
    await page.getByText("being debugged", { exact: true }).waitFor({ state: "detached" });

    await t.open("continuous-workflows/till-watch", /^till-watch/);
    await page.getByRole("button", { name: "Run now…" }).click();
    await dialog.getByLabel(/^Event/).fill("{");
    assert.ok(await dialog.getByRole("button", { name: "Run", exact: true }).isDisabled());
    await dialog.getByLabel(/^Event/).fill("{}");
    await dialog.getByRole("button", { name: "Run", exact: true }).click();
    await page.waitForURL(/instances\/\d+$/);
  },

  async "its generations are distinguished, and a refused continuation says why"(t) {
    t.allow(409, /\/continue$/);
    await t.open("", "Overview");
    const state = await pretend(t);
    await t.open("continuous-workflows", "Continuous workflows");
    const page = t.page;
    await page.getByRole("link", { name: "in <b>box" }).click();
    await page.getByRole("heading", { name: /^in <b>box/, level: 1 }).waitFor();
    const legend = "Runs in 24 hours: 1 started, 1 not running, 1 after a crash, 1 continuation";
    await page.getByRole("img", { name: legend }).waitFor();
    await page.getByText('<img src="x" onerror="alert(1)">').waitFor();
    const facts = page.getByRole("region", { name: "Trigger", exact: true });
    await facts.getByText("(regular continuation)").waitFor();
    assert.equal(await page.getByText("AutoStart").count(), 0);
    await page.getByText("The next run can start now.").waitFor();
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
    assert.deepEqual(state.asked.map(([action]) => action), ["continue", "continue"]);
  },
};
