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
    [{}, true, "The period was done by instance 7."],
    [{ attempt: 3 }, true, "The period was done by instance 7. It was claimed 3 times."],
    [{ state: "missed", reason: "the window closed while no node was at work." }, false, "The period was missed. Reason: the window closed while no node was at work."],
    [{ state: "failed", attempt: 2, reason: "out of memory" }, false, "The period has failed after being claimed twice, last by instance 7. Reason: out of memory."],
    [{ state: "running" }, null, "instance 7 is running it."],
    [{ state: "claimed", leaseUntil: "2026-11-22T12:10:00Z" }, null, "instance 7 has claimed it and has not started."],
    [{ state: "claimed", leaseUntil: "2026-11-22T11:10:00Z" }, null, "instance 7 has claimed it, but the claim has expired. The next claimant gets the period."],
    [{ state: "released" }, false, "instance 7 released it undone. The next claimant gets the period."],
  ])("%j", (part, ran, sentences) => {
    expect(explain(entry(part), now).ran).toBe(ran);
    expect(said(part)).toBe(sentences);
  });

  it("is explained for a period without an entry as well", () => {
    expect(explain(null, now)).toMatchObject({ ran: false, sentences: [expect.stringContaining("neither claimed nor recorded"), expect.any(String)] });
  });
});

it("reads the search from the address, and nothing else", () => {
  expect(readLedgerSearch({ schedule: ["a", "b"], state: ["missed", "no"], period: "", other: 1 })).toEqual({
    schedule: "a",
    state: ["missed"],
  });
});
