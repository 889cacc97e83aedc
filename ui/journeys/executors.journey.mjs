import assert from "node:assert/strict";

export default {
  async "executors show their heartbeat, their load and what they can run"(t) {
    const page = await t.open("executors", "Executors");
    const card = page.getByRole("listitem").filter({ hasText: "this server" });
    await card.getByText("alive").waitFor();
    await card.getByText(/of \d+ busy/).waitFor();
    await card.getByRole("link", { name: "order", exact: true }).waitFor();
    await t.accessible();
    await t.shot("executors");
    await card.getByRole("button", { name: "Drain" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("the page remains available").waitFor();
    await dialog.getByText("The same from a terminal").click();
    await dialog.getByText(/millrace drain \d+/).first().waitFor();
    await dialog.getByRole("button", { name: "Dismiss" }).click();
    await card.getByText("alive").waitFor();
    await card.getByRole("link", { name: /^\d+$/ }).click();
    await page.waitForURL((url) => url.searchParams.has("executor"));
  },

  // A rollout of the demo's only node would end the demo, so the answers are fake.
  async "a rollout is started, seen and paused"(t) {
    await t.open("", "Overview");
    const { body: executors } = await t.call("GET", "/executors");
    const self = executors.find((one) => one.self);
    const name = self.node || self.host;
    const at = (seconds) => new Date(Date.now() + seconds * 1_000).toISOString();
    const rollouts = [];
    const asked = [];
    const current = { node: name, executorId: self.id, stage: "leaving", since: at(-20), deadline: at(240), held: 2 };
    await t.page.route("**/api/v1/rollouts", (route) => {
      if (route.request().method() === "GET") return route.fulfill({ json: rollouts }).catch(() => undefined);
      asked.push(route.request().postDataJSON());
      const begun = { id: 4711, reason: "rollout", phase: "running", nodes: ["<i>other</i>", name], done: 1, current };
      rollouts.unshift({ ...begun, by: "demo: a new version", why: "one after another", started: at(-60), since: at(-20) });
      return route.fulfill({ status: 201, json: rollouts[0] });
    });
    await t.page.route("**/api/v1/rollouts/4711/*", (route) => {
      asked.push(route.request().url().split("/").at(-1));
      rollouts[0] = { ...rollouts[0], phase: "paused", current: null, why: "paused by demo" };
      return route.fulfill({ status: 204 });
    });
    await t.page.route("**/executors/*/instances?*", (route) =>
      route.fulfill({ json: [{ instanceId: 3001, type: "order", state: "<b>SHIP</b>", since: at(-400) }] }).catch(() => undefined),
    );
    const page = await t.open("executors", "Executors");
    await page.getByText("No rollouts yet.").waitFor();
    await page.getByRole("button", { name: "Start rollout…" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("the page remains available").waitFor();
    await dialog.getByLabel(/^all nodes that are running/).uncheck();
    await dialog.getByText("Choose at least one node.").waitFor();
    await dialog.getByLabel(name, { exact: true }).check();
    await dialog.getByText("Times, in seconds").click();
    await dialog.getByLabel(/^Grace/).fill("a while");
    await dialog.getByText("Expected whole seconds from 0 to 86400, or nothing.").waitFor();
    await dialog.getByLabel(/^Grace/).fill("240");
    await dialog.getByLabel(/^Reason/).fill("a new version");
    await t.accessible();
    await t.shot("start");
    await dialog.getByRole("button", { name: "Replace 1 node" }).click();
    await dialog.waitFor({ state: "detached" });
    const rollout = page.getByRole("region", { name: "Rollout 4711" });
    await rollout.getByText("1 of 2 nodes").waitFor();
    await rollout.getByText(/is draining and holds 2 instances\. Handlers may run for another/).waitFor();
    await rollout.getByText("<b>SHIP</b>").waitFor();
    await t.accessible();
    await t.shot("rollout");
    await rollout.getByRole("button", { name: "Pause" }).click();
    await dialog.getByRole("button", { name: "Pause" }).click();
    await rollout.getByText("Paused by demo.").waitFor();
    await rollout.getByRole("button", { name: "Resume" }).waitFor();
    assert.deepEqual(asked, [{ nodes: [name], graceSeconds: 240, reason: "a new version" }, "pause"]);
  },

  async "the recycle policy is changed, and the calendar shows it"(t) {
    const page = await t.open("executors", "Executors");
    const panel = page.getByRole("region", { name: "Automatic recycling" });
    const dialog = page.getByRole("dialog");
    const far = new Date(Date.now() + 12 * 3_600_000).toISOString().slice(11, 16); // so that it does not come now
    await panel.getByRole("button", { name: "Change…" }).click();
    await dialog.getByLabel("Restart nodes automatically").check();
    await dialog.getByLabel("Every day at").fill(far);
    await dialog.getByLabel("Zone").fill("UTC");
    await dialog.getByLabel(/^Spread over/).fill("a while");
    await dialog.getByText("Expected minutes from 0 to 720.").waitFor();
    await dialog.getByLabel(/^Spread over/).fill("90");
    await dialog.getByLabel(/^Older than/).fill("");
    await dialog.getByLabel(/^Heap at/).fill("");
    await t.accessible();
    await t.shot("policy");
    await dialog.getByText("The same from a terminal").click();
    await dialog.getByText(`millrace recycle set --on --at ${far} --zone UTC --window 5400 --max-age 0 --memory 0`).waitFor();
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "detached" });
    await panel.getByText(`Each node restarts every day at ${far} in UTC, one after another over 1 h 30 min.`).waitFor();
    await panel.getByText("Next window").waitFor();
    await t.accessible();
    await t.shot("recycle");
    await t.open("maintenance", "Maintenance");
    const calendar = page.getByRole("region", { name: "Calendar", exact: true });
    await calendar.getByRole("button", { name: "Next month" }).click();
    await calendar.getByRole("listitem").filter({ hasText: "Recycle" }).first().waitFor();
    await t.open("executors", "Executors");
    await panel.getByRole("button", { name: "Change…" }).click();
    await dialog.getByLabel("Restart nodes automatically").uncheck();
    await dialog.getByRole("button", { name: "Save" }).click();
    await panel.getByText("Automatic recycling is disabled.").waitFor();
  },
};
