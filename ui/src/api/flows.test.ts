import { beforeEach, describe, expect, it, vi } from "vitest";
import { QueryClient } from "@tanstack/react-query";
import { createJob, deleteJob, flowQueries, jobOf, pauseQueue, requeueJobs, seen, type Queue, type SeenFlows } from "./flows";
import { commandText, curlText, perform } from "./actions";

const asked: [string, RequestInit][] = [];
let answers: unknown[] = [];

beforeEach(() => {
  asked.length = 0;
  vi.stubGlobal("document", { baseURI: "https://example.org/mill/" });
  vi.stubGlobal("fetch", (url: string, init: RequestInit) => {
    asked.push([url, init]);
    const next = answers.shift() ?? {};
    return Promise.resolve(next === 204 ? new Response(null, { status: 204 }) : new Response(JSON.stringify(next), { status: 200 }));
  });
});

const queue = { name: "hash", flow: "files", locksExpiring: 0 } as Queue;

describe("flows", () => {
  it("keep their last figures while Redis is unreachable, and know since when", async () => {
    const there = { configured: true, reachable: true, flows: [{ name: "files", lookup: [], queues: [queue] }] };
    const away = { configured: true, reachable: false, problem: "No route to it.", flows: [] };
    answers = [there, away, away, there];
    vi.useFakeTimers({ now: 1_000_000 });
    const client = new QueryClient();
    const read = () => client.fetchQuery({ ...flowQueries.all(), staleTime: 0 });
    expect(await read()).toMatchObject({ awaySince: null });
    vi.setSystemTime(1_500_000);
    const first = await read();
    expect(first).toMatchObject({ awaySince: 1_500_000, problem: "No route to it.", flows: there.flows });
    vi.setSystemTime(2_000_000);
    expect((await read()).awaySince, "the first time counts").toBe(first.awaySince);
    vi.setSystemTime(3_000_000);
    expect(await read()).toMatchObject({ awaySince: null, flows: there.flows });
    vi.useRealTimers();
  });

  it("count a missing lock when it is missing twice", () => {
    const told = (locksExpiring: number) => ({ configured: true, reachable: true, flows: [{ name: "files", lookup: [], queues: [{ ...queue, locksExpiring }] }] });
    const shown: number[] = [];
    let last: SeenFlows | undefined;
    for (const count of [3, 1, 0, 2, 2, 5]) {
      last = seen(last, told(count), 0);
      shown.push(last.flows[0]?.queues[0]?.locksExpiring ?? -1);
    }
    expect(shown).toEqual([0, 1, 0, 0, 2, 2]);
  });

  it("name a child's queue, which has a colon, in the address", async () => {
    answers = [{ items: [] }];
    await new QueryClient().fetchQuery(flowQueries.list("files", "split:part/1", "dead", "c 1"));
    expect(asked[0]?.[0]).toBe("https://example.org/mill/api/v1/flows/files/queues/split%3Apart%2F1/jobs?list=dead&cursor=c+1&limit=50");
  });
});

describe("a job", () => {
  it("keeps the digits of its fields, and their order", () => {
    const job = jobOf('{"flow":"files","id":"1","state":"completed","fields":{"size":12345678901234567890,"a":[1.10],"10":null},"unreadable":{},"children":[]}');
    expect(job.fields).toEqual([
      { name: "size", json: "12345678901234567890" },
      { name: "a", json: "[1.10]" },
      { name: "10", json: "null" },
    ]);
    expect(job.state).toBe("completed");
  });

  it("is created with the very JSON that was typed, and without what was left out", async () => {
    answers = [{ id: "7", created: true }];
    const action = createJob("files", { fields: '{"n": 12345678901234567890}', delaySeconds: 5, priority: undefined, uniqueKey: "", correlationId: "c" });
    expect(await perform(action)).toEqual({ id: "7", created: true });
    expect(asked[0]?.[1].body).toBe('{"fields":{"n": 12345678901234567890},"delaySeconds":5,"correlationId":"c"}');
    expect(asked[0]?.[0]).toBe("https://example.org/mill/api/v1/flows/files/jobs");
    expect(commandText(action)).toBe(`millrace jobs create files --fields '{"n": 12345678901234567890}' --delay 5 --correlation-id c`);
    expect(commandText(createJob("files", { fields: "{}", uniqueKey: "@home" }))).toBeNull();
  });

  it("is deleted by its flow and id", async () => {
    answers = [204];
    expect(await perform(deleteJob("split:part", "7"))).toBeNull();
    expect(commandText(deleteJob("split:part", "7"))).toBe("millrace jobs delete split:part 7");
    expect(asked[0]).toMatchObject(["https://example.org/mill/api/v1/flows/split%3Apart/jobs/7", { method: "DELETE" }]);
  });
});

describe("an action on a queue", () => {
  it("pauses and resumes with a reason", () => {
    expect(curlText(pauseQueue("files", "hash", true, "disk full"))).toContain("/flows/files/queues/hash/pause");
    expect(curlText(pauseQueue("files", "hash", true, "disk full"))).toContain(`-d '{"reason":"disk full"}'`);
    expect(commandText(pauseQueue("files", "split:part", true, "disk full"))).toBe("millrace queues pause files split:part --reason 'disk full'");
    expect(commandText(pauseQueue("-f", "hash", true, ""))).toBeNull();
    expect(pauseQueue("files", "hash", false, "").operation).toBe("POST /flows/{flow}/queues/{queue}/resume");
  });

  it("requeues the chosen ones, or all without naming them", () => {
    expect(requeueJobs("files", "hash", ["a", "b"], "mended").body).toEqual({ ids: ["a", "b"], reason: "mended" });
    expect(requeueJobs("files", "hash", null, "").body).toEqual({});
    expect(commandText(requeueJobs("files", "hash", ["a", "b"], "mended"))).toBe("millrace queues requeue files hash a b --reason mended");
    expect(requeueJobs("files", "hash", [], "").body, "none are not all").toEqual({ ids: [] });
  });
});
