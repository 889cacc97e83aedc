import { describe, expect, it } from "vitest";
import type { LedgerEntry } from "../../api/schema";
import { explain } from "./explain";
import { readLedgerSearch } from "./search";

const now = Date.parse("2026-11-22T12:00:00Z");
const entry = (part: Partial<LedgerEntry>): LedgerEntry => ({
  ...{ schedule: "close", period: "2026-11-21", state: "succeeded", attempt: 1, token: 1, holder: "instance 7" },
  ...{ executorId: null, executionId: 7, leaseUntil: null, claimed: "2026-11-21T09:00:00Z", ended: null, reason: null },
  ...part,
});
const said = (part: Partial<LedgerEntry>) => explain(entry(part), now).sentences.join(" ");

describe("why a period did not run", () => {
  it.each<[Partial<LedgerEntry>, boolean | null, string]>([
    [{}, true, "It ran: instance 7 did it."],
    [{ attempt: 3 }, true, "It ran: instance 7 did it. It was claimed 3 times."],
    [{ state: "missed", reason: "the window closed while no node was at work." }, false, "Nobody came to it in time. The reason: the window closed while no node was at work."],
    [{ state: "failed", attempt: 2, reason: "out of memory" }, false, "It was tried twice and has failed, the last time by instance 7. The reason: out of memory."],
    [{ state: "running" }, null, "It runs: instance 7 does it."],
    [{ state: "claimed", leaseUntil: "2026-11-22T12:10:00Z" }, null, "instance 7 has claimed it and is to do it."],
    [{ state: "claimed", leaseUntil: "2026-11-22T11:10:00Z" }, null, "instance 7 has claimed it and did not come to an end in time. The next one who asks gets it."],
    [{ state: "released" }, false, "instance 7 gave it back without having done it. The next one who asks gets it."],
  ])("%j", (part, ran, sentences) => {
    expect(explain(entry(part), now).ran).toBe(ran);
    expect(said(part)).toBe(sentences);
  });

  it("is said of one without an entry as well", () => {
    expect(explain(null, now)).toMatchObject({ ran: false, sentences: [expect.stringContaining("Nobody has claimed"), expect.any(String)] });
  });
});

it("reads what is asked from the address, and nothing else", () => {
  expect(readLedgerSearch({ schedule: ["a", "b"], state: ["missed", "no"], period: "", other: 1 })).toEqual({
    schedule: "a",
    state: ["missed"],
  });
});
