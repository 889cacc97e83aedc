import assert from "node:assert/strict";

const channel = "WORKFLOW.TASK.PDF.EXECUTION";
const broker = {
  transport: "rabbitmq",
  problem: null,
  channels: [
    { channel: "WORKFLOW.TASK.KPI.EXECUTION", tasks: ["KPI"], ready: 2, consumers: 8, deadLetters: 0 },
    { channel, tasks: ["PDF"], ready: 12480, consumers: 0, deadLetters: 30 },
  ],
};

export default {
  async "channels say how messages travel"(t) {
    const page = await t.open("channels", "Channels");
    const { body } = await t.call("GET", "/channels");
    await page.getByText(body.transport, { exact: true }).waitFor();
    for (const one of body.channels) await page.getByText(one.channel, { exact: true }).waitFor();
    await t.accessible();
    await t.shot("channels");
  },

  // The demo has no broker, so the answers are fake.
  async "dead letters are shown as text, and requeued"(t) {
    await t.open("", "Overview");
    const letters = [
      { channel, body: '<img src="x" onerror="alert(1)">', id: null, reason: "The message must be JSON." },
      { channel, body: '{"executionId":77}', id: "m-2", reason: "Execution 77 is unknown." },
    ];
    const read = { channels: 0, letters: 0 };
    const tell = (what, json) => (route) => {
      read[what] += 1;
      return route.fulfill({ json }).catch(() => undefined);
    };
    await t.page.route("**/api/v1/channels", tell("channels", broker));
    await t.page.route("**/dead-letters?*", tell("letters", letters));
    let asked;
    await t.page.route("**/requeue", (route) => {
      asked = route.request().postDataJSON();
      return route.fulfill({ json: { moved: 2 } });
    });
    const page = await t.open("channels", "Channels");
    await page.getByText("12,480, no consumer").waitFor();
    await page.getByRole("button", { name: `Dead letters of ${channel}: 30` }).click();
    const panel = page.getByRole("region", { name: `Dead letters of ${channel}`, exact: true });
    await panel.getByText('<img src="x" onerror="alert(1)">').waitFor();
    await panel.getByText("Execution 77 is unknown.").waitFor();
    await panel.getByText("The oldest 2 of 30.").waitFor();
    await t.accessible();
    await t.shot("dead letters");
    const polls = read.channels;
    await t.until("the counts were read twice more", () => read.channels >= polls + 2 || read.channels);
    assert.equal(read.letters, 1, "the letters are read when they are opened");
    await panel.getByRole("button", { name: "Refresh" }).click();
    await t.until("they are read again", () => read.letters === 2 || read.letters);

    await panel.getByRole("button", { name: "Requeue…" }).click();
    const dialog = page.getByRole("dialog");
    const many = dialog.getByLabel(/^Number/);
    assert.equal(await many.inputValue(), "30");
    await many.fill("0");
    await dialog.getByText("Must be a whole number from 1 to 10,000.").waitFor();
    assert.ok(await dialog.getByRole("button", { name: "Requeue", exact: true }).isDisabled());
    await many.fill("2");
    await dialog.getByLabel(/^Reason/).fill("mended");
    await dialog.getByText("The same from a terminal").click();
    await dialog.getByText(`millrace channels requeue ${channel} --limit 2 --reason mended`).waitFor();
    await dialog.getByRole("button", { name: "Requeue 2" }).click();
    await page.locator(".toast").filter({ hasText: `2 moved back into ${channel}` }).waitFor();
    assert.deepEqual(asked, { limit: 2, reason: "mended" });
    await t.until("they are read after they were moved", () => read.letters === 3 || read.letters);
    await page.getByRole("button", { name: "Pause live updates" }).click();
    const before = read.channels;
    await page.waitForTimeout(5_500); // longer than between two polls
    assert.ok(read.channels <= before + 1, "what is paused stays as it is");
    await page.getByRole("button", { name: "Resume live updates" }).click();
  },

  async "an unreachable broker is reported"(t) {
    await t.open("", "Overview");
    const away = {
      ...broker,
      problem: "The broker does not answer.",
      channels: broker.channels.map(({ channel: name, tasks }) => ({ channel: name, tasks, ready: null, consumers: null, deadLetters: null })),
    };
    await t.page.route("**/api/v1/channels", (route) => route.fulfill({ json: away }).catch(() => undefined));
    const page = await t.open("channels", "Channels");
    await page.getByRole("alert").getByText("The broker does not answer.").waitFor();
    await page.getByText(channel, { exact: true }).waitFor();
    assert.equal(await page.getByText("no consumer").count(), 0, "what is not known is no warning");
    await t.accessible();
  },
};
