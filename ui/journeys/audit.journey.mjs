import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

export default {
  async "audit entries are found by user, action and instance, and exported"(t) {
    await t.open("instances", "Instances");
    // An older one: the newest belong to other journeys.
    const before = new Date(Date.now() - 600_000).toISOString();
    const { body } = await t.call("GET", `/instances?status=inProgress&createdTo=${before}&limit=1`);
    const id = String(body.items[0].id);
    const reason = `journey ${Date.now()}`;
    // Other journeys fill the first page of all entries at the same time.
    const page = await t.open(`audit?instance=${id}`, "Audit");
    await page.getByLabel("User", { exact: true }).fill(t.server.user);
    const answer = await t.call("POST", `/instances/${id}/wake`, { reason });
    assert.equal(answer.status, 200, JSON.stringify(answer));

    await page.getByRole("row", { name: new RegExp(reason) }).waitFor();
    assert.equal(await page.getByLabel("User", { exact: true }).inputValue(), t.server.user, "an update leaves what is typed");

    assert.equal(await page.getByLabel("Instance").inputValue(), id);
    await page.getByRole("button", { name: "Search" }).click();
    await page.waitForURL((url) => url.searchParams.get("actor") === t.server.user);
    const row = page.getByRole("row", { name: new RegExp(reason) });
    await row.waitFor();
    await row.getByText("wake", { exact: true }).waitFor();
    await row.getByText(t.server.user).waitFor();
    await t.accessible();
    await t.shot("filtered");

    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Export CSV" }).click(),
    ]);
    const text = readFileSync(await download.path(), "utf8");
    assert.ok(text.startsWith("id,at,actor,action,instance,seq,target,reason,detail\r\n"), text.slice(0, 80));
    assert.ok(text.includes(reason));
    await row.getByRole("link", { name: `instance ${id}` }).click();
    await page.waitForURL((url) => url.pathname.endsWith(`/instances/${id}`));
  },
};
