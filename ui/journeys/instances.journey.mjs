import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { numberIn } from "./traveller.mjs";

const search = (page) => Object.fromEntries(new URL(page.url()).searchParams);
const ids = (page) => page.locator("tbody tr:not(.room) td a.number").allTextContents();

async function list(t, query = "") {
  const page = await t.open(`instances${query}`, "Instances");
  await page.locator("tbody .badge").first().waitFor();
  return page;
}

export default {
  async "unknown parameters in an address do no harm"(t) {
    await list(t, "?limit=5&utm_source=mail&status=finished");
    await t.open("audit?utm_source=mail", "Audit");
  },

  async "filters are typed, offered, shown as chips and kept in the address"(t) {
    const page = await list(t);
    await page.keyboard.press("/");
    await page.keyboard.type("st");
    await page.getByRole("option", { name: /^status:/ }).waitFor();
    await t.accessible();
    await t.shot("offers");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.keyboard.type("fin");
    await page.keyboard.press("Tab");
    await page.getByRole("button", { name: "Remove the filter status: Finished" }).waitFor();
    assert.deepEqual(search(page), { status: "finished" });

    await page.keyboard.type("nonsense:1");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").getByText(/Unknown filter/).waitFor();
    await page.keyboard.press("Escape");

    await page.getByRole("combobox").fill("created:30d");
    await page.getByRole("combobox").press("Enter");
    await page.getByRole("button", { name: /^Remove the filter created from/ }).waitFor();
    assert.deepEqual(Object.keys(search(page)).sort(), ["createdFrom", "status"]);

    await page.getByRole("button", { name: "Remove the filter status: Finished" }).click();
    await page.waitForURL((url) => !url.searchParams.has("status"));
    await page.goBack();
    await page.getByRole("button", { name: "Remove the filter status: Finished" }).waitFor();
    await page.reload();
    await page.getByRole("button", { name: "Remove the filter status: Finished" }).waitFor();
  },

  async "a whole line of filters is typed, and keys are found by their start, ignoring case"(t) {
    const page = await list(t);
    const { body } = await t.call("GET", "/instances?type=order&limit=1");
    const [{ id, businessKey }] = body.items;
    const beginning = businessKey.slice(0, 3).toUpperCase();
    await page.getByRole("combobox").fill(`type:order ${beginning} created:30d`);
    await page.getByRole("combobox").press("Enter");
    await page.getByRole("button", { name: `Remove the filter key starts with: ${beginning}` }).waitFor();
    assert.deepEqual(Object.keys(search(page)).sort(), ["createdFrom", "keyPrefix", "type"]);
    await page.locator("tbody .badge").first().waitFor();
    await page.getByRole("combobox").fill(String(id));
    await page.getByRole("combobox").press("Enter");
    await page.getByRole("heading", { level: 1, name: new RegExp(`order ${id}`) }).waitFor();
  },

  async "an address without a valid id says so and links to a search"(t) {
    const page = await t.open("instances/Ada", "Instance not found");
    await page.getByText('"Ada" is not an instance id').waitFor();
    await page.getByRole("link", { name: /^Search for a key/ }).click();
    await page.getByRole("button", { name: "Remove the filter key starts with: Ada" }).waitFor();
  },

  async "the keyboard moves, chooses and opens"(t) {
    const page = await list(t);
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await page.keyboard.press("k");
    await page.keyboard.press("x");
    await page.getByText("1 selected").waitFor();
    const id = (await page.locator("tr.cursor a.number").textContent()).trim();
    assert.ok(await page.locator("tr.cursor input").isChecked());
    await page.keyboard.press("r");
    await page.keyboard.press("Enter");
    await page.waitForURL((url) => url.pathname.endsWith(`/instances/${id}`));
  },

  async "a number typed into the box opens that instance"(t) {
    const page = await list(t);
    const id = (await ids(page))[3].trim();
    await page.keyboard.press("/");
    await page.keyboard.type(id);
    await page.getByRole("option", { name: `id:${id}` }).waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForURL((url) => url.pathname.endsWith(`/instances/${id}`));
  },

  async "pages follow each other without a gap or a repetition"(t) {
    const page = await list(t, "?status=finished");
    const first = await ids(page);
    await page.getByRole("button", { name: "Older" }).click();
    await page.getByText(/^101 to /).waitFor();
    const second = await ids(page);
    assert.deepEqual(second.filter((id) => first.includes(id)), []);
    await page.getByRole("button", { name: "Newer" }).click();
    await page.getByText(/^1 to 100/).waitFor();
  },

  async "columns are chosen and stay"(t) {
    const page = await list(t);
    await page.getByRole("button", { name: "Columns" }).click();
    await page.getByRole("menuitemcheckbox", { name: "Priority" }).click();
    await page.getByRole("menuitemcheckbox", { name: "State", exact: true }).click();
    await t.accessible();
    await page.keyboard.press("Escape");
    await page.getByRole("columnheader", { name: "Priority" }).waitFor();
    await page.reload();
    await page.getByRole("columnheader", { name: "Priority" }).waitFor();
    assert.equal(await page.getByRole("columnheader", { name: "State", exact: true }).count(), 0);
    await t.shot("columns");
  },

  async "several are paused and resumed after the typed count"(t) {
    // Older ones: the newest belong to other journeys.
    const before = new Date(Date.now() - 600_000).toISOString();
    const page = await list(t, `?status=inProgress&createdTo=${before}`);
    for (const box of [0, 1]) await page.getByRole("checkbox", { name: /^Select instance/ }).nth(box).check();
    const chosen = (await ids(page)).slice(0, 2);
    await page.getByRole("button", { name: "Pause", exact: true }).click();
    const dialog = page.getByRole("dialog");
    const confirm = dialog.getByRole("button", { name: "Pause 2 instances" });
    await confirm.waitFor();
    assert.equal(await confirm.isDisabled(), true);
    await dialog.getByLabel(/^Type/).fill("3");
    assert.equal(await confirm.isDisabled(), true);
    await dialog.getByLabel(/^Reason/).fill("journey: a look at them");
    await dialog.getByLabel(/^Type/).fill("2");
    await t.accessible();
    await t.shot("dialog");
    await confirm.click();
    await page.locator(".bulk", { hasText: /instances? paused/ }).waitFor();

    const run = (await t.call("GET", "/bulk")).body[0];
    assert.equal(run.action, "pause");
    assert.equal(run.total, 2);
    const back = await t.call("POST", "/bulk", { action: "resume", filter: { ids: chosen.map(Number) } });
    assert.equal(back.status, 202, JSON.stringify(back));
    const audit = await t.call("GET", "/audit?limit=50");
    assert.ok(audit.body.items.some(({ reason }) => reason === "journey: a look at them"), JSON.stringify(audit.body.items[0]));
  },

  async "a move and a signal ask where to and what with before they count as ready"(t) {
    const page = await list(t, "?status=finished&type=order");
    await page.getByRole("checkbox", { name: "Select all on this page" }).check();
    await page.getByRole("button", { name: /^Select all [\d,]+\+? that match/ }).click();
    const dialog = page.getByRole("dialog");
    await page.getByRole("button", { name: "Move", exact: true }).click();
    const confirm = dialog.getByRole("button", { name: /^Move [\d,]+/ });
    const count = String(numberIn(await confirm.textContent()));
    await dialog.getByLabel(/^Type/).fill(count);
    assert.equal(await confirm.isDisabled(), true);
    await dialog.getByLabel("To state").fill("SHIP");
    assert.equal(await confirm.isDisabled(), false);
    await dialog.getByText("The same from a terminal").click();
    await dialog.getByText(/^millrace bulk move .*--type order .*--to SHIP/).waitFor();
    await page.keyboard.press("Escape");
    await dialog.getByRole("button", { name: "Discard" }).click();
    await page.getByRole("button", { name: "Signal", exact: true }).click();
    await dialog.getByLabel("Name").fill("paid");
    await dialog.getByLabel(/^Payload/).fill("oops");
    await dialog.getByText("Invalid JSON").waitFor();
    assert.equal(await dialog.getByRole("button", { name: /^Signal [\d,]+/ }).isDisabled(), true);
    await page.keyboard.press("Escape");
    await dialog.getByRole("button", { name: "Discard" }).click();
    await dialog.waitFor({ state: "detached" });
  },

  async "all matching instances can be selected, and opening a dialog changes nothing"(t) {
    const page = await list(t, "?status=finished");
    await page.getByRole("checkbox", { name: "Select all on this page" }).check();
    await page.getByRole("button", { name: /^Select all [\d,]+\+? that match/ }).click();
    await page.getByText(/^All [\d,]+\+? selected/).waitFor();
    await page.getByRole("button", { name: "Cancel", exact: true }).click();
    const dialog = page.getByRole("dialog");
    const count = dialog.locator("b.number");
    await count.waitFor();
    assert.ok(numberIn(await count.textContent()) > 100);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Clear selection" }).click();
    await page.getByText(/selected$/).waitFor({ state: "detached" });
  },

  async "the list can be exported as CSV and as JSON"(t) {
    const page = await list(t, "?status=finished");
    for (const [name, check] of [
      ["CSV", (text) => assert.match(text, /^"?id"?,/)],
      ["JSON lines", (text) => assert.ok(JSON.parse(text.split("\n")[0]).id > 0)],
    ]) {
      await page.getByRole("button", { name: "Export" }).click();
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("menuitem", { name, exact: true }).click(),
      ]);
      const text = readFileSync(await download.path(), "utf8");
      check(text);
      assert.ok(text.trim().split("\n").length > 100, `${name} has too few lines`);
    }
  },

  async "a search without a match says what to do"(t) {
    const page = await t.open("instances?key=no-such-key-anywhere", "Instances");
    await page.getByText("No instance matches").waitFor();
    await t.accessible();
    const command = await page.locator(".list-command code").textContent();
    assert.equal(command, "millrace list --find no-such-key-anywhere");
  },
};
