import { describe, expect, it } from "vitest";
import type { Queue } from "../../api/flows";
import { statesText, whyOf } from "./words";

type Told = Parameters<typeof whyOf>[0];

const why = (job: Told, queue?: Partial<Queue>, elapsed = 0) =>
  whyOf(job, queue && ({ name: "hash", paused: false, workers: 2, completedPerMinute: 0, ...queue } as Queue), elapsed, (at) => `[${at}]`);

describe("why a job is where it is", () => {
  it("tells how many are before it, and when its turn comes", () => {
    expect(why({ state: "waiting", queue: "hash", position: 0 }, {})).toEqual({ text: "It is the next one in hash.", look: "" });
    expect(why({ state: "waiting", queue: "hash", position: 1 }).text).toBe("It waits in hash behind 1 other.");
    expect(why({ state: "waiting", queue: "hash", position: 1200 }, { completedPerMinute: 600 }).text).toBe(
      "It waits in hash behind 1,200 others. At the rate of this minute it is taken in about 2 min.",
    );
    expect(why({ state: "waiting", queue: "hash", position: null }).text).toBe("It waits in hash.");
  });

  it("tells what keeps a queue from being served", () => {
    expect(why({ state: "waiting", queue: "hash", position: 3 }, { paused: true, pausedWhy: "disk full" })).toEqual({
      text: "It waits in hash behind 3 others. The queue is paused: disk full",
      look: "why-warn",
    });
    expect(why({ state: "waiting", queue: "hash", position: 0 }, { paused: true }).text).toBe("It is the next one in hash. The queue is paused.");
    expect(why({ state: "waiting", queue: "hash", position: 0 }, { workers: 0 })).toEqual({
      text: "It is the next one in hash. No Millrace worker serves this queue.",
      look: "why-warn",
    });
  });

  it("counts a lock down", () => {
    const job: Told = { state: "processing", queue: "hash", lockOwner: "w-1", lockSeconds: 90 };
    expect(why(job)).toEqual({ text: "Worker w-1 works on it in hash; the lock ends in 1 min 30 s unless the worker renews it.", look: "" });
    expect(why(job, {}, 80).text).toContain("ends in 10 s");
    expect(why(job, {}, 91), "nobody has looked since").toEqual({
      text: "Worker w-1 worked on it in hash when this was read; its lock has ended since then unless the worker renewed it.",
      look: "",
    });
    expect(why({ state: "processing", queue: "hash" }).text).toBe("It was taken in hash, but no worker holds its lock: it is put back when it stays like that.");
  });

  it("tells how many children a parent waits for", () => {
    const job: Told = { state: "processing", queue: "split", lockOwner: "w-1", lockSeconds: 9 };
    const child = (state: Told["state"], flow = "split:part", fields = {}) => ({ flow, state, fields, unreadable: {} });
    const children = [child("done"), child("waiting"), child("failed"), child("processing"), child("waiting", "older:part"), child("unknown"), child("unknown", "split:part", { n: 1 })];
    expect(why({ ...job, children }).text).toBe(
      "It waits in split for 3 of 6 children; worker w-1 watches over it, and the lock ends in 9 s unless the worker renews it.",
    );
    expect(statesText(children), "a child of which nothing is left is gone").toBe("1 done, 2 waiting, 1 failed, 1 processing, 1 gone, 1 in no queue");
    expect(why({ ...job, children: [child("done")] }).text).toMatch(/^Worker w-1 works on it in split; the lock ends in 9 s/);
  });

  it("tells of delays, failures and ends", () => {
    expect(why({ state: "delayed", queue: "hash", at: "2026-11-22T10:00:00Z" }).text).toBe("It is delayed until [2026-11-22T10:00:00Z]; then it waits in hash.");
    expect(why({ state: "delayed", queue: "hash" }).text).toBe("It is delayed until its time has come; then it waits in hash.");
    expect(why({ state: "dead", failedQueue: "hash", failedErrorMsg: "No such file" })).toEqual({
      text: "It failed in hash: No such file. It stands among the dead jobs there: requeue it to have it tried again.",
      look: "why-bad",
    });
    expect(why({ state: "failed", failedQueue: "hash", failedErrorMsg: "Gone!" }).text).toBe("It failed in hash: Gone.");
    expect(why({ state: "failed", failedQueue: "hash" }).text).toBe("It failed in hash, without a message.");
    expect(why({ state: "done" }).look).toBe("");
    expect(why({ state: "unknown" }).look).toBe("why-warn");
  });
});
