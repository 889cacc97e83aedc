import assert from "node:assert/strict";

const nasty = '<img src="x" onerror="alert(1)">';
const ago = (seconds) => new Date(Date.now() - seconds * 1_000).toISOString();
const idOf = (number) => `0192f3c4-7a10-7c3e-9b1d-${String(number).padStart(12, "0")}`;

const queue = (name, part = {}) => ({
  ...{ name, flow: "files", next: null, parent: null, waiting: 0, processing: 0, delayed: 0, dead: 0, oldestWaitingSeconds: null },
  ...{ paused: false, pausedWhy: null, workers: 2, busy: 0, completedPerMinute: 0, failedPerMinute: 0, locksExpiring: 0 },
  ...part,
});

/** Returns the content of the fake Redis: a flow of three queues, with children in the middle one. */
function world() {
  const queues = [
    queue("find", { next: "split", waiting: 12480, oldestWaitingSeconds: 95, workers: 4, busy: 4, completedPerMinute: 600, processing: 4, locksExpiring: 1 }),
    queue("split", { next: null, processing: 1, busy: 1, delayed: 3 }),
    queue("split:part", { parent: "split", waiting: 7, workers: 0, oldestWaitingSeconds: 12 }),
    queue("store", { dead: 3, failedPerMinute: 1.2, completedPerMinute: 40 }),
  ];
  const dead = [1, 2, 3].map((number) => ({ id: idOf(number), flow: "files", at: ago(60 * number), error: number === 1 ? nasty : "No such file" }));
  const job = {
    ...{ flow: "files", id: idOf(1), state: "dead", queue: "store", failedQueue: "store", failedErrorMsg: nasty, createdAt: ago(600) },
    ...{ ttlSeconds: 80_000, correlationId: "c-1", progress: 40, note: "4 of 10 parts", attempts: 3, unreadable: { "b<i>": "{broken" } },
    children: [
      { flow: "split:part", id: idOf(11), state: "completed", fields: {}, unreadable: {}, children: [] },
      { flow: "split:part", id: idOf(12), state: "failed", failedErrorMsg: nasty, fields: {}, unreadable: {}, children: [] },
    ],
  };
  return { queues, dead, job, asked: [], flows: null, cursors: [], reads: { flows: 0, job: 0 }, held: {} };
}

const answerOf = {
  "GET jobs": (w, url) => {
    if (!url.searchParams.has("field")) return undefined;
    const fits = url.searchParams.get("value") === "a b";
    return { items: fits ? [{ ...w.job, fields: { path: "a b" } }] : [] };
  },
  "GET list": (w, url) => {
    const list = url.searchParams.get("list") ?? "waiting";
    w.cursors.push(url.searchParams.get("cursor"));
    if (list === "dead") return { items: w.dead, next: null };
    if (list === "processing") {
      return { items: [{ id: idOf(5), flow: "files", createdAt: ago(9), lockOwner: idOf(77), lockSeconds: 100 }, { id: idOf(6), flow: "files" }], next: null };
    }
    if (list === "delayed") return { items: [{ id: idOf(7), flow: "files", at: ago(-3600), createdAt: ago(9) }], next: null };
    const second = url.searchParams.get("cursor") === "c2";
    return { items: [{ id: idOf(second ? 9 : 8), flow: "files", createdAt: ago(95) }], next: second ? null : "c2" };
  },
};

/** Fakes a server with Redis. */
async function pretend(t) {
  const w = world();
  await t.open("", "Overview");
  await t.page.route(/\/api\/v1\/flows(\/|\?|$)/, (route) => {
    const request = route.request();
    const url = new URL(request.url());
    const path = url.pathname.replace(/.*\/api\/v1\/flows\/?/, "").split("/").map(decodeURIComponent);
    const answer = (json, status = 200) => route.fulfill({ json, status }).catch(() => undefined);
    const [, kind, name, what] = path;
    if (request.method() !== "GET") {
      w.asked.push([request.method(), path.join("/"), request.postDataJSON()]);
      const one = w.queues.find((each) => each.name === name);
      if (what === "pause" || what === "resume") {
        Object.assign(one, { paused: what === "pause", pausedWhy: what === "pause" ? request.postDataJSON().reason : null });
        return answer(one);
      }
      if (what === "requeue") {
        const { ids } = request.postDataJSON();
        const before = w.dead.length;
        w.dead = ids ? w.dead.filter(({ id }) => !ids.includes(id)) : [];
        one.dead = w.dead.length;
        return answer({ requeued: before - w.dead.length });
      }
      if (request.method() === "POST") return answer({ id: idOf(99), created: true }, 201);
      w.gone = true;
      return route.fulfill({ status: 204 }).catch(() => undefined);
    }
    if (!path[0]) w.reads.flows += 1;
    if (!path[0]) return answer(w.flows ?? { configured: true, reachable: true, flows: [{ name: "files", lookup: ["path", "kind"], queues: w.queues }] });
    if (kind === "queues") return Promise.resolve(w.held[name]).then(() => answer(answerOf["GET list"](w, url)));
    if (name) {
      w.reads.job += 1;
      if (w.gone) return answer({ type: "not-found", title: "Not found", status: 404, detail: "There is no such job." }, 404);
      // As text, since a number of this size would lose digits.
      const body = JSON.stringify({ fields: {}, ...w.job, id: name }).replace('"fields":{}', `"fields":{"size":12345678901234567890,"path":${JSON.stringify(nasty)}}`);
      return route.fulfill({ contentType: "application/json", body }).catch(() => undefined);
    }
    return answer(answerOf["GET jobs"](w, url));
  });
  return w;
}

export default {
  // Without Redis the demo has no flow, and the page says how to configure it.
  async "a job of the demo waits in a paused queue, is found, and is deleted"(t) {
    const page = await t.open("flows", "Flows");
    const { body } = await t.call("GET", "/flows");
    if (!body.configured) {
      await page.getByText("No Redis is configured").waitFor();
      return;
    }
    const flow = body.flows.find(({ name }) => name === "file-inventory");
    assert.ok(flow, JSON.stringify(body).slice(0, 400));
    const [{ name: first }] = flow.queues;
    const [field] = flow.lookup;
    const mark = `journey ${Date.now().toString(36)}`;
    const row = page.getByRole("list", { name: `Queues of ${flow.name}` });
    for (const { name } of flow.queues) await row.getByRole("region", { name: `Queue ${name}`, exact: true }).waitFor();
    await t.accessible();
    await t.shot("demo");
    const dialog = page.getByRole("dialog");
    try {
      await row.getByRole("button", { name: `Pause ${first}`, exact: true }).click();
      await dialog.getByLabel(/^Reason/).fill(mark);
      await dialog.getByRole("button", { name: "Pause", exact: true }).click();
      await row.getByText(`paused: ${mark}`).waitFor();
      await page.getByRole("link", { name: `Jobs of ${flow.name}` }).click();
      await page.getByRole("button", { name: "Create job" }).click();
      await dialog.getByLabel(/^Fields/).fill(JSON.stringify({ [field]: mark, journey: 12345678901 }));
      await dialog.getByRole("button", { name: "Create", exact: true }).click();
      await page.locator(".toast").getByRole("link", { name: /^job / }).click();
      await page.getByText(new RegExp(`(waits in|next in) ${first}.*The queue is paused: ${mark}`)).waitFor();
      await page.getByText("12345678901", { exact: true }).waitFor();
      await t.accessible();
      await t.shot("demo job");
      const { pathname } = new URL(page.url());
      const id = pathname.split("/").at(-1);
      await t.turn(`flows/${flow.name}/queues/${first}`, new RegExp(`${first}`));
      await page.getByRole("tab", { name: /^Waiting/ }).waitFor();
      await t.turn(`flows/${flow.name}`, new RegExp(flow.name));
      await page.getByRole("search").getByLabel(/^Value/).fill(mark);
      await page.getByRole("search").getByRole("button", { name: "Search" }).click();
      await page.getByRole("link", { name: id, exact: true }).click();
      await page.getByRole("button", { name: "Delete…" }).click();
      await dialog.getByRole("button", { name: "Delete", exact: true }).click();
      await page.waitForURL(new RegExp(`queues/${first}$`));
      assert.deepEqual((await t.call("GET", `/flows/${flow.name}/jobs?field=${field}&value=${encodeURIComponent(mark)}`)).body.items, []);
    } finally {
      await t.call("POST", `/flows/${flow.name}/queues/${first}/resume`, {});
    }
    await t.turn("flows", "Flows");
    await row.getByRole("button", { name: `Pause ${first}`, exact: true }).waitFor();
  },

  async "flows show their queues in order, with their problems, and a queue is paused"(t) {
    const w = await pretend(t);
    const page = await t.open("flows", "Flows");
    const row = page.getByRole("list", { name: "Queues of files" });
    const card = (name) => row.getByRole("region", { name: `Queue ${name}`, exact: true });
    await card("find").getByText("12,480").waitFor();
    await card("find").getByText("1 lock has expired or expires soon").waitFor();
    await card("split:part").getByText("jobs wait, but no Millrace worker serves the queue").waitFor();
    await row.getByRole("list", { name: "Children of split" }).getByRole("link", { name: "split:part", exact: true }).waitFor();
    assert.equal(await row.getByRole("img", { name: "then", exact: true }).count(), 1, "jobs go on by themselves from find alone");
    assert.equal(await row.getByRole("img", { name: "only if a result names it" }).count(), 1);
    await t.accessible();
    await t.shot("flows");

    await card("store").getByRole("button", { name: "Pause store" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel(/^Reason/).fill(nasty);
    await dialog.getByText("The same from a terminal").click();
    await dialog.getByText("millrace queues pause files store --reason").waitFor();
    await dialog.getByRole("button", { name: "Pause", exact: true }).click();
    await dialog.waitFor({ state: "detached" });
    await card("store").getByText(`paused: ${nasty}`).waitFor();
    await card("store").getByRole("button", { name: "Resume store" }).click();
    await dialog.getByRole("button", { name: "Resume", exact: true }).click();
    await card("store").getByText(/^paused/).waitFor({ state: "detached" });
    assert.deepEqual(w.asked.map(([, path, body]) => [path, body]), [
      ["files/queues/store/pause", { reason: nasty }],
      ["files/queues/store/resume", {}],
    ]);

    await page.setViewportSize({ width: 390, height: 844 });
    await t.until("nothing is cut off where the screen is narrow", () =>
      page.evaluate(() => document.documentElement.scrollWidth <= innerWidth || document.documentElement.scrollWidth),
    );
    await t.shot("narrow");
  },

  async "dead jobs are requeued: one, the selected ones, and all"(t) {
    const w = await pretend(t);
    const page = await t.open("flows", "Flows");
    await page.getByRole("region", { name: "Queue store", exact: true }).getByRole("link", { name: "Dead in store: 3", exact: true }).click();
    await page.getByRole("heading", { name: /store$/, level: 1 }).waitFor();
    const panel = page.getByRole("region", { name: "Dead in store", exact: true }).first();
    await panel.getByText(nasty).waitFor();
    await t.accessible();
    await t.shot("dead");
    const dialog = page.getByRole("dialog");
    await panel.getByRole("button", { name: `Requeue ${idOf(2)}` }).click();
    await dialog.getByLabel(/^Reason/).fill("mended");
    await dialog.getByRole("button", { name: "Requeue", exact: true }).click();
    await page.locator(".toast").filter({ hasText: "1 requeued in store" }).waitFor();
    await panel.getByRole("link", { name: idOf(2) }).waitFor({ state: "detached" });
    assert.ok(await panel.getByRole("button", { name: "Requeue selected…" }).isDisabled());
    await panel.getByRole("checkbox", { name: `Select ${idOf(3)}` }).check();
    await panel.getByRole("button", { name: "Requeue 1…" }).click();
    await dialog.getByRole("button", { name: "Requeue", exact: true }).click();
    await panel.getByRole("link", { name: idOf(3) }).waitFor({ state: "detached" });
    await panel.getByRole("button", { name: "Requeue all…" }).click();
    await dialog.getByRole("button", { name: "Requeue", exact: true }).click();
    await page.getByText("No dead jobs").waitFor();
    assert.deepEqual(w.asked.map(([, , body]) => body), [{ ids: [idOf(2)], reason: "mended" }, { ids: [idOf(3)] }, {}]);
  },

  async "the lists of a queue are chosen by keys, and paged"(t) {
    const w = await pretend(t);
    const page = await t.open("flows/files/queues/find", /find/);
    await page.getByRole("link", { name: idOf(8) }).waitFor();
    await page.getByRole("button", { name: "More", exact: true }).click();
    await page.getByRole("link", { name: idOf(9) }).waitFor();
    await page.getByRole("button", { name: "Back", exact: true }).click();
    await page.getByRole("link", { name: idOf(8) }).waitFor();
    assert.ok(w.cursors.includes("c2"));
    await page.getByRole("tab", { name: /^Waiting/ }).focus();
    await page.keyboard.press("ArrowRight");
    await page.waitForURL(/list=processing/);
    await page.getByText(idOf(77)).waitFor();
    await page.getByText("no lock", { exact: true }).waitFor();
    await t.accessible();
    await page.keyboard.press("ArrowRight");
    await page.getByText(/^in (59 min|1 h)/).waitFor();
    const before = w.cursors.length;
    await t.until("the list is read again", () => w.cursors.length > before || w.cursors.length);
  },

  async "a queue never shows the jobs of the one before"(t) {
    const w = await pretend(t);
    const page = await t.open("flows/files/queues/split%3Apart", /split:part/);
    const job = page.getByRole("link", { name: idOf(8) });
    await job.waitFor();
    let release;
    w.held.split = new Promise((resolve) => (release = resolve));
    await page.getByRole("main").locator("dl").getByRole("link", { name: "split", exact: true }).click();
    const panel = page.getByRole("region", { name: "Waiting in split", exact: true });
    await panel.getByText("Loading").waitFor({ state: "attached" });
    assert.equal(await job.count(), 0);
    release();
    await job.waitFor();
  },

  async "a job says why it is in its state, shows unreadable fields, and is deleted"(t) {
    const w = await pretend(t);
    const page = await t.open(`flows/files/jobs/${idOf(1)}`, new RegExp(idOf(1)));
    await page.getByText(/^It failed in store: .* Requeue it to retry\.$/).waitFor();
    await page.getByText("12345678901234567890").waitFor();
    const broken = page.getByRole("alert").filter({ hasText: "One field is not JSON" });
    await broken.waitFor();
    await page.getByRole("region", { name: "b<i>" }).getByText("{broken").waitFor();
    await page.getByRole("progressbar", { name: "Progress" }).waitFor();
    const children = page.getByRole("region", { name: "Children (2)" });
    await children.getByText("1 completed, 1 failed", { exact: true }).waitFor();
    assert.equal(await children.getByRole("link", { name: idOf(12) }).getAttribute("href"), `/flows/split%3Apart/jobs/${idOf(12)}`);
    await t.accessible();
    await t.shot("job");
    w.job = { ...w.job, state: "processing", lockOwner: "w-1", lockSeconds: 60 };
    await page.getByText(/^Worker w-1 is processing it in store\. The lock expires in/).waitFor();
    assert.equal(await page.getByRole("button", { name: "Requeue…" }).count(), 0, "only what is dead is requeued");
    await page.getByRole("button", { name: "Delete…" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("The job has 2 children.").waitFor();
    await dialog.getByRole("button", { name: "Delete", exact: true }).click();
    await page.waitForURL(/flows\/files\/queues\/store$/);
    assert.deepEqual(w.asked, [["DELETE", `files/jobs/${idOf(1)}`, null]]);
    t.allow(404, /flows\/files\/jobs\//); // not before: the page that is left has no answer about the deleted job
    await t.open(`flows/files/jobs/${idOf(1)}`, new RegExp(idOf(1)));
    await page.getByText("Job not found", { exact: true }).waitFor();
    const { flows, job } = w.reads;
    await t.until("flows are read twice more", () => w.reads.flows > flows + 1 || w.reads.flows);
    assert.equal(w.reads.job, job, "a job that is gone is not asked for again and again");
  },

  async "of thousands of children the first are shown, including deleted ones"(t) {
    const w = await pretend(t);
    const child = (number) => ({ flow: "split:part", id: idOf(number), state: "completed", fields: { n: 1 }, unreadable: {}, children: [] });
    const gone = { ...child(1000), state: "unknown", fields: {} };
    w.job = { ...w.job, children: [gone, ...Array.from({ length: 1999 }, (_, number) => child(1001 + number))] };
    const page = await t.open(`flows/files/jobs/${idOf(1)}`, new RegExp(idOf(1)));
    const children = page.getByRole("region", { name: "Children (2,000)" });
    await children.getByText("1 gone, 1,999 completed", { exact: true }).waitFor();
    assert.equal(await children.getByRole("link").count(), 99, "nothing is behind the one that is gone");
    await t.accessible();
    await children.getByRole("button", { name: "Show all 2,000" }).click();
    await children.getByRole("link", { name: idOf(2999) }).waitFor();
  },

  async "a job and its instances link to each other"(t) {
    const w = await pretend(t);
    const { body } = await t.call("GET", "/instances?type=order&limit=1");
    const [{ id }] = body.items;
    const started = idOf(1);
    const awaited = idOf(2);
    await t.page.route(new RegExp(`/api/v1/instances/${id}$`), async (route) => {
      const response = await route.fetch();
      const json = { ...(await response.json()), externalId: `redis:files:find:${started}`, waitingFor: `signal:redisJob-${awaited}` };
      return route.fulfill({ response, json }).catch(() => undefined);
    });
    const put = { name: "redisJob-pack", json: JSON.stringify({ flow: "files", id: awaited, made: true }), secret: false };
    await t.page.route(new RegExp(`/api/v1/instances/${id}/variables$`), (route) => route.fulfill({ json: [put] }).catch(() => undefined));
    w.job = { ...w.job, fields: { workflow: id }, correlationId: `workflow:order:${id}` };

    const page = await t.open(`flows/files/jobs/${started}`, new RegExp(started));
    const fact = (name) => page.getByRole("main").locator(".facts > div").filter({ has: page.getByText(name, { exact: true }) });
    await fact("Created by").getByRole("link", { name: `order ${id}` }).waitFor();
    await t.accessible();
    await t.shot("instances");
    await fact("Started").getByRole("link", { name: `order ${id}` }).click();
    await page.getByRole("heading", { name: new RegExp(`order ${id}`), level: 1 }).waitFor();
    await fact("Started by job").getByRole("link", { name: started }).waitFor();
    await t.accessible();
    await t.shot("jobs");
    await fact("Waits for job").getByRole("link", { name: awaited }).click();
    await page.getByRole("heading", { name: new RegExp(awaited), level: 1 }).waitFor();
    // This job names the same instance, but the instance does not confirm it.
    await fact("Created by").getByRole("link", { name: `order ${id}` }).waitFor();
    assert.equal(await fact("Started").count(), 0);
  },

  async "jobs are found by a field, and created"(t) {
    const w = await pretend(t);
    const page = await t.open("flows", "Flows");
    await page.getByRole("link", { name: "Jobs of files" }).click();
    await page.getByRole("heading", { name: /files$/, level: 1 }).waitFor();
    const search = page.getByRole("search");
    await search.getByLabel("Field").selectOption("kind");
    await search.getByLabel("Field").selectOption("path");
    await search.getByLabel(/^Value/).fill("nothing");
    await search.getByLabel(/^Value/).press("Enter");
    await page.getByText("No matching jobs").waitFor();
    await search.getByLabel(/^Value/).fill("a b");
    await search.getByRole("button", { name: "Search" }).click();
    await page.waitForURL(/field=path&value=a\+b/);
    await page.getByRole("link", { name: idOf(1) }).waitFor();
    await t.accessible();
    await t.shot("found");

    await page.getByRole("button", { name: "Create job" }).click();
    const dialog = page.getByRole("dialog");
    const create = dialog.getByRole("button", { name: "Create", exact: true });
    await dialog.getByLabel(/^Fields/).fill('{"done": 1}');
    await dialog.getByText(/The field "done" is reserved for the workers/).waitFor();
    await dialog.getByLabel(/^Delay/).fill("soon");
    assert.ok(await create.isDisabled());
    await t.accessible();
    await dialog.getByLabel(/^Fields/).fill('{"path": "a b"}');
    await dialog.getByLabel(/^Delay/).fill("60");
    await dialog.getByLabel(/^Unique key/).fill("a b");
    await create.click();
    await page.locator(".toast").getByRole("link", { name: `job ${idOf(99)}` }).click();
    await page.waitForURL(new RegExp(`jobs/${idOf(99)}$`));
    assert.deepEqual(w.asked, [["POST", "files/jobs", { fields: { path: "a b" }, delaySeconds: 60, uniqueKey: "a b" }]]);
  },

  async "a viewer sees all of it, and no button that would be refused"(t) {
    await pretend(t);
    await t.page.route("**/api/v1/session", async (route) => {
      const response = await route.fetch();
      return route.fulfill({ response, json: { ...(await response.json()), role: "viewer" } }).catch(() => undefined);
    });
    const page = await t.open("flows", "Flows");
    await page.getByRole("region", { name: "Queue store", exact: true }).waitFor();
    const actions = page.getByRole("main").getByRole("button", { name: /Pause|Resume|Requeue|Delete|Create/ });
    assert.equal(await actions.count(), 0);
    await t.turn("flows/files/queues/store?list=dead", /store$/);
    await page.getByRole("link", { name: idOf(3) }).waitFor();
    assert.equal(await actions.count(), 0);
    assert.equal(await page.getByRole("checkbox").count(), 0);
    await t.turn(`flows/files/jobs/${idOf(1)}`, new RegExp(idOf(1)));
    await page.getByText("One field is not JSON").waitFor();
    assert.equal(await actions.count(), 0);
    await t.turn("flows/files", /files$/);
    await page.getByRole("search").waitFor();
    assert.equal(await actions.count(), 0);
  },

  async "a Redis that is not configured, unreachable or without flows is reported"(t) {
    const w = await pretend(t);
    w.flows = { configured: false, reachable: false, flows: [] };
    const page = await t.open("flows", "Flows");
    await page.getByText("No Redis is configured").waitFor();
    await t.accessible();
    w.flows = { configured: true, reachable: true, flows: [] };
    await page.getByText("No flow is registered").waitFor();
    w.flows = null;
    await page.getByRole("region", { name: "Queue store", exact: true }).waitFor();
    w.flows = { configured: true, reachable: false, problem: "Nobody answers at redis:6379.", flows: [] };
    const alert = page.getByRole("alert").filter({ hasText: "Redis does not answer" });
    await alert.getByText("Nobody answers at redis:6379.").waitFor();
    await page.getByRole("region", { name: "Queue store", exact: true }).waitFor();
    await t.accessible();
    await t.shot("away");
    w.flows = null;
    await alert.waitFor({ state: "detached" });
  },
};
