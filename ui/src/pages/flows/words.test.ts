import { describe, expect, it } from "vitest";
import type { Queue } from "../../api/flows";
import { statesText, whyOf } from "./words";

type Told = Parameters<typeof whyOf>[0];

const why = (job: Told, queue?: Partial<Queue>, elapsed = 0) =>
  whyOf(job, queue && ({ name: "hash", paused: false, workers: 2, completedPerMinute: 0, ...queue } as Queue), elapsed, (at) => `[${at}]`);

describe("why a job is where it is", () => {
  it("includes its position and the expected wait", () => {
    expect(why({ state: "waiting", queue: "hash", position: 0 }, {})).toEqual({ text: "It is next in hash.", look: "" });
    expect(why({ state: "waiting", queue: "hash", position: 1 }).text).toBe("It waits in hash behind 1 other.");
    expect(why({ state: "waiting", queue: "hash", position: 1200 }, { completedPerMinute: 600 }).text).toBe(
      "It waits in hash behind 1,200 others. At the current rate it starts in about 2 min.",
    );
    expect(why({ state: "waiting", queue: "hash", position: null }).text).toBe("It waits in hash.");
  });

  it("includes the reason why a queue is not served", () => {
    expect(why({ state: "waiting", queue: "hash", position: 3 }, { paused: true, pausedWhy: "disk full" })).toEqual({
      text: "It waits in hash behind 3 others. The queue is paused: disk full",
      look: "why-warn",
    });
    expect(why({ state: "waiting", queue: "hash", position: 0 }, { paused: true }).text).toBe("It is next in hash. The queue is paused.");
    expect(why({ state: "waiting", queue: "hash", position: 0 }, { workers: 0 })).toEqual({
      text: "It is next in hash. No Millrace worker serves this queue.",
      look: "why-warn",
    });
  });

  it("counts a lock down", () => {
    const job: Told = { state: "processing", queue: "hash", lockOwner: "w-1", lockSeconds: 90 };
    expect(why(job)).toEqual({ text: "Worker w-1 is processing it in hash. The lock expires in 1 min 30 s unless the worker renews it.", look: "" });
    expect(why(job, {}, 80).text).toContain("expires in 10 s");
    expect(why(job, {}, 91), "not read since").toEqual({
      text: "Worker w-1 was processing it in hash at the last read. Its lock has expired since then unless the worker renewed it.",
      look: "",
    });
    expect(why({ state: "processing", queue: "hash" }).text).toBe("It is being processed in hash, but no worker holds its lock. If no worker renews the lock, the job is requeued.");
  });

  it("includes the number of children that a parent waits for", () => {
    const job: Told = { state: "processing", queue: "split", lockOwner: "w-1", lockSeconds: 9 };
    const child = (state: Told["state"], flow = "split:part", fields = {}) => ({ flow, state, fields, unreadable: {} });
    const children = [child("completed"), child("waiting"), child("failed"), child("processing"), child("waiting", "older:part"), child("unknown"), child("unknown", "split:part", { n: 1 })];
    expect(why({ ...job, children }).text).toBe(
      "It waits in split for 3 of 6 children. Worker w-1 holds it; the lock expires in 9 s unless the worker renews it.",
    );
    expect(statesText(children), "a child of which nothing is left is gone").toBe("1 completed, 2 waiting, 1 failed, 1 processing, 1 gone, 1 in no queue");
    expect(why({ ...job, children: [child("completed")] }).text).toMatch(/^Worker w-1 is processing it in split. The lock expires in 9 s/);
  });

  it("covers delays, failures and ends", () => {
    expect(why({ state: "delayed", queue: "hash", at: "2026-11-22T10:00:00Z" }).text).toBe("It is delayed until [2026-11-22T10:00:00Z], then it waits in hash.");
    expect(why({ state: "delayed", queue: "hash" }).text).toBe("It is delayed until it is due, then it waits in hash.");
    expect(why({ state: "dead", failedQueue: "hash", failedErrorMsg: "No such file" })).toEqual({
      text: "It failed in hash: No such file. It is dead. Requeue it to retry.",
      look: "why-bad",
    });
    expect(why({ state: "failed", failedQueue: "hash", failedErrorMsg: "Gone!" }).text).toBe("It failed in hash: Gone.");
    expect(why({ state: "failed", failedQueue: "hash" }).text).toBe("It failed in hash, without a message.");
    expect(why({ state: "completed" }).look).toBe("");
    expect(why({ state: "unknown" }).look).toBe("why-warn");
  });
});
