import assert from "node:assert/strict";

const ago = (minutes) => new Date(Date.now() - minutes * 60_000).toISOString();
const group = { name: "cust <b>omers", generation: 3, committed: 12480, pending: 2, created: ago(9_000), modified: ago(4) };

export default {
  async "the state of a record of the demo, and a dry run"(t) {
    const page = await t.open("reduce?group=folder-watch", "Reduced records");
    await page.getByRole("row", { name: /folder-watch/ }).getByText("3", { exact: true }).waitFor();
    await page.getByLabel(/^Key or its token/).fill("lamp");
    await page.getByRole("button", { name: "Search" }).click();
    await page.getByText(/^It was committed by instance \d+: it is passed over until its content changes\.$/).waitFor();
    await page.getByText("Compare records without storing anything").click();
    await page.getByLabel(/^Key path/).fill("/sku");
    await page.getByLabel(/^Records/).fill('[{"sku":"lamp","cents":1990},{"sku":"lamp","cents":2},{"sku":"stool","cents":3}]');
    await page.getByRole("button", { name: "Compare" }).click();
    await page.getByText("New: first records").click();
    await page.getByRole("region", { name: "New records" }).getByText('"stool"').waitFor();
    await t.accessible();
  },

  // Fakes the server, so that the demo's records are not forgotten.
  async "the state of a record is shown, and the record is forgotten"(t) {
    await t.open("", "Overview");
    const asked = [];
    let state = "committed";
    await t.page.route(/\/api\/v1\/reduce-groups/, (route) => {
      const request = route.request();
      const url = new URL(request.url());
      const action = url.pathname.split("/").at(-1);
      const answer = (json) => route.fulfill({ json }).catch(() => undefined);
      if (action === "reduce-groups") return answer([group]);
      if (action === "record") {
        const why = state === "new" ? "Nothing was committed of it." : "It was committed by instance 4711.";
        const found = { state, why, committed: state === "new" ? null : ago(60), executionId: state === "new" ? null : 4711 };
        return answer({ group: group.name, key: url.searchParams.get("key"), generation: 3, reservedBy: null, reservedUntil: null, ...found });
      }
      asked.push([action, request.postData()]);
      if (action === "forget") state = "new";
      if (action === "forget") return answer({ forgotten: 1 });
      if (action === "reset") return answer({ generation: 4 });
      const none = { count: 0, first: [] };
      const kinds = { new: { count: 1, first: [{ id: 2, name: "<i>Bob</i>" }] }, changed: none, unchanged: { count: 1, first: [{ id: 1 }] }, reserved: none };
      return answer({ records: 3, ...kinds, faulty: 1, faults: [{ index: 2, message: "it has no /id" }] });
    });
    const page = await t.open("reduce", "Reduced records");
    await page.getByRole("row", { name: /cust <b>omers/ }).getByText("12,480").waitFor();
    await page.getByLabel(/^Key or its token/).fill("17");
    await page.keyboard.press("Enter");
    const found = page.getByRole("status").filter({ hasText: "skipped while unchanged" });
    await found.getByText("It was committed by instance 4711.").waitFor();
    await found.getByRole("link", { name: "4711" }).waitFor();
    await t.accessible();
    await t.shot("looked up");
    await found.getByRole("button", { name: "Forget…" }).click();
    const dialog = page.getByRole("dialog");
    assert.equal(await dialog.getByLabel(/^Keys/).inputValue(), "17");
    await dialog.getByRole("button", { name: "Forget", exact: true }).click();
    await page.getByText("Nothing was committed of it.").waitFor();

    await page.getByText("Compare records without storing anything").click();
    await page.getByLabel(/^Records/).fill('{"id":1}');
    await page.getByText("Expected an array: [ … ].").waitFor();
    await page.getByLabel(/^Records/).fill('[{"id":1,"amount":1.00},{"id":2},{}]');
    await page.getByLabel(/^Ignore/).fill("/lastSeen");
    await page.getByRole("button", { name: "Compare" }).click();
    await page.getByText("Record 2: it has no /id").waitFor();
    await page.getByText("New: first records").click();
    await page.getByText('"<i>Bob</i>"').waitFor();
    await t.accessible();
    await t.shot("dry run");

    await page.getByRole("button", { name: "Reset cust <b>omers" }).click();
    assert.ok(await dialog.getByRole("button", { name: "Reset", exact: true }).isDisabled());
    await dialog.getByLabel(/to confirm$/).fill(group.name);
    await dialog.getByLabel(/^Reason/).fill("loaded again");
    await dialog.getByRole("button", { name: "Reset", exact: true }).click();
    await page.locator(".toast").filter({ hasText: "starts generation 4" }).waitFor();
    assert.deepEqual(asked, [
      ["forget", JSON.stringify({ group: group.name, keys: ["17"] })],
      ["dry-run", `{"group":"cust <b>omers","key":"/id","ignore":["/lastSeen"],"document":[{"id":1,"amount":1.00},{"id":2},{}]}`],
      ["reset", JSON.stringify({ group: group.name, reason: "loaded again" })],
    ]);
  },
};
