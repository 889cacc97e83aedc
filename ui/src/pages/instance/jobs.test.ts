import { describe, expect, it } from "vitest";
import { awaitedId, awaitedOf, starterOf } from "./jobs";

describe("the job that has started an instance", () => {
  it("is named by the external id", () => {
    expect(starterOf("redis:files:hash:j1")).toEqual({ flow: "files", id: "j1" });
    expect(starterOf("redis:split:part:split:part:j1"), "a child").toEqual({ flow: "split:part", id: "j1" });
    expect(starterOf("redis:a:b:c:a:b:c:j1"), "a child's child").toEqual({ flow: "a:b:c", id: "j1" });
  });

  it.each([null, "", "order-7", "redis", "redis:7", "redis:files:7", "redis:a:b:c:7", "redis:a:b:c:d:7", "redis::hash:7", "redis:files:hash:", "other:files:hash:7"])("is none for %s", (externalId) => {
    expect(starterOf(externalId)).toBeNull();
  });
});

describe("the job that an instance waits for", () => {
  it("is named by the signal and the variable of the state", () => {
    expect(awaitedId("signal:redisJob-j1")).toBe("j1");
    for (const other of [null, "children", "signal:paid", "signal:redisJob-"]) expect(awaitedId(other)).toBeNull();
    const variables = [
      { name: "redisJob", json: '{"id":"j1","flow":"other"}' },
      { name: "redisJob-load", json: null },
      { name: "redisJob-old", json: '{"id":"j0","flow":"files"}' },
      { name: "redisJob-pack", json: '{"id":"j1","flow":"files","made":true}' },
    ];
    expect(awaitedOf("j1", variables)).toEqual({ flow: "files", id: "j1" });
    expect(awaitedOf("j2", variables)).toBeNull();
    expect(awaitedOf("j1", [{ name: "redisJob-pack", json: '{"id":"j1","made":true}' }])).toBeNull();
  });
});
