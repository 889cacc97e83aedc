import { describe, expect, it } from "vitest";
import { isMaker, isStartedBy, toldOf } from "./instances";

const job = (part: Partial<Parameters<typeof toldOf>[0]>) => ({ flow: "files", id: "j1", queue: null, correlationId: null, fields: [], ...part });

describe("the workflow instances that a job names", () => {
  it("include its creator, by the correlation id", () => {
    const told = toldOf(job({ correlationId: "workflow:pack:at night:42" }));
    expect(told).toEqual({ maker: { type: "pack:at night", id: 42 } });
    expect(isMaker(told, { id: 42, type: "pack:at night" })).toBe(true);
    expect(isMaker(told, { id: 42, type: "order" }), "another installation has other instances").toBe(false);
    for (const correlationId of ["c-1", "workflow:42", "workflow:pack:x", "workflow:pack:0", `workflow:pack:${"9".repeat(17)}`]) {
      expect(toldOf(job({ correlationId }))).toEqual({});
    }
  });

  it("include the instance that it started, by its field or its queue", () => {
    expect(toldOf(job({ queue: "hash" }))).toEqual({ externalId: "redis:files:hash:j1" });
    expect(toldOf(job({ queue: "store", fields: [{ name: "workflow", json: "7" }] }))).toEqual({ started: 7 });
    expect(toldOf(job({ fields: [{ name: "workflow", json: '"7"' }] })), "a field of the user").toEqual({});
  });

  it("count only if the instance confirms them", () => {
    expect(isStartedBy({ flow: "files", id: "j1" }, { externalId: "redis:files:hash:j1" })).toBe(true);
    expect(isStartedBy({ flow: "split:part", id: "j1" }, { externalId: "redis:split:part:split:part:j1" })).toBe(true);
    for (const externalId of [null, "redis:files:hash:j2", "redis:others:hash:j1", "order-7"]) {
      expect(isStartedBy({ flow: "files", id: "j1" }, { externalId })).toBe(false);
    }
  });
});
