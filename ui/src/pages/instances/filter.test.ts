import { describe, expect, it } from "vitest";
import { parseSearch, writeSearch } from "../../app/search";
import { statuses } from "../../components/StatusBadge";
import { readFilter, type Filter } from "./filter";

describe("the filter in the address", () => {
  it("is read back unchanged", () => {
    const filter: Filter = {
      type: ["order", "fan-out"],
      status: ["failed", "manual"],
      state: "charge",
      key: "K 1",
      keyPrefix: "Ada",
      businessKey: "B&1",
      externalId: "E=1",
      parent: 12,
      executor: 3,
      group: "default",
      failure: "3f9c",
      createdFrom: "2026-01-01T00:00:00Z",
      createdTo: "2026-02-01T00:00:00Z",
      endedFrom: "2026-01-01T00:00:00Z",
      endedTo: "2026-02-01T00:00:00Z",
      variable: "total",
      value: "12345678901234567890",
    };
    expect(readFilter(parseSearch(writeSearch(filter)))).toEqual(filter);
  });

  it("is read back unchanged for every combination of statuses", () => {
    for (let bits = 1; bits < 2 ** statuses.length; bits += 1) {
      const status = statuses.filter((_, index) => bits & (1 << index));
      expect(readFilter(parseSearch(writeSearch({ status })))).toEqual({ status });
    }
  });

  it("leaves out what it does not know", () => {
    expect(readFilter(parseSearch("?status=broken&parent=x&other=1&state="))).toEqual({});
    expect(readFilter(parseSearch("?status=broken&status=failed"))).toEqual({ status: ["failed"] });
  });
});
