import { execFileSync } from "node:child_process";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { bulk, commandText, curlText, editVariables, filterOptions, move, onInstance, quoted, retryGroup, signal, start } from "./actions";

beforeEach(() => {
  vi.stubGlobal("document", { baseURI: "https://example.org/mill/" });
});

describe("an action for a terminal", () => {
  it("is the command with its reason", () => {
    expect(commandText(onInstance("retry", 4711, "the bank is back"))).toBe(
      "millrace retry 4711 --reason 'the bank is back'",
    );
    expect(commandText(onInstance("wake", 4711, ""))).toBe("millrace wake 4711");
    expect(commandText(move(1, "ship", "pay", ""))).toBe("millrace move 1 ship --from pay");
    expect(commandText(move(1, "ship", "pay", "", true))).toBe("millrace move 1 ship --from pay --force");
    expect(commandText(signal(1, "paid", '{"amount":12.50}'))).toBe(`millrace signal 1 paid --payload '{"amount":12.50}'`);
    expect(commandText(editVariables(1, { a: '"x"' }, ["b"], "typo"))).toBe(
      `millrace variables 1 --set 'a="x"' --remove b --reason typo`,
    );
    expect(commandText(start({ type: "order", input: '{"sku":1}', externalId: "A-1" }))).toBe(
      `millrace start order --input '{"sku":1}' --external-id A-1`,
    );
    expect(commandText(retryGroup("3f9c", 87, ""))).toBe("millrace retry --failure 3f9c --yes 87");
  });

  it("is a call with the address, the key and the body", () => {
    expect(curlText(onInstance("cancel", 7, "a duplicate"))).toBe(
      "curl -X POST https://example.org/mill/api/v1/instances/7/cancel" +
        ' -H "Authorization: Bearer $MILLRACE_API_KEY"' +
        ` -H 'Content-Type: application/json' -d '{"reason":"a duplicate"}'`,
    );
  });

  it("keeps large numbers of a payload", () => {
    expect(curlText(signal(1, "paid", "12345678901234567890"))).toContain('"payload":12345678901234567890');
  });

  it("has no command where there is none", () => {
    expect(commandText({ operation: "POST /keys", body: { name: "ci", role: "viewer" } })).toBeNull();
  });
});

describe("a bulk action", () => {
  it("names the filter as the command line does", () => {
    expect(
      filterOptions({ type: ["a", "b"], status: ["failed"], key: "K-1", createdFrom: "2026-01-01T00:00:00Z", variable: "v", value: "1" }),
    ).toEqual(
      ["--find", "K-1", "--type", "a", "--type", "b", "--status", "failed", "--created-from", "2026-01-01T00:00:00Z", "--variable", "v=1"],
    );
  });

  it("confirms the count of a filter, and names ids without one", () => {
    const filter = { status: ["failed" as const] };
    expect(commandText(bulk({ action: "retry", filter, expectedCount: 12, reason: "ok" }))).toBe(
      "millrace retry --status failed --yes 12 --reason ok",
    );
    expect(commandText(bulk({ action: "pause", filter: { ids: [3, 5] }, expectedCount: 2 }))).toBe("millrace pause 3 5");
  });

  it("says where to and what with, and keeps the digits of a payload", () => {
    const filter = { type: ["order"] };
    expect(commandText(bulk({ action: "move", filter, state: "SHIP", expectedCount: 3 }))).toBe(
      "millrace bulk move --type order --to SHIP --yes 3",
    );
    expect(commandText(bulk({ action: "move", filter, state: "SHIP", force: true, expectedCount: 3 }))).toBe(
      "millrace bulk move --type order --to SHIP --force --yes 3",
    );
    const signals = bulk({ action: "signal", filter, signal: { name: "paid" }, expectedCount: 3 }, "12345678901234567890");
    expect(commandText(signals)).toBe(
      "millrace bulk signal --type order --signal paid --payload 12345678901234567890 --yes 3",
    );
    expect(curlText(signals)).toContain('"signal":{"name":"paid","payload":12345678901234567890}');
    expect(commandText(bulk({ action: "move", filter: { ids: [3] }, state: "SHIP" }))).toBeNull();
  });
});

describe("quoting", () => {
  it("gives a shell back every word", () => {
    const words = ["plain", "", "two words", "it's", `"$HOME" \`id\``, "a\\b", "*?[x]", "line\nbreak", "é;&|", "--x=1", "~", "!h"];
    const printed = execFileSync("sh", ["-c", `printf '%s\\0' ${words.map(quoted).join(" ")}`], { encoding: "utf8" });
    expect(printed.split("\0").slice(0, -1)).toEqual(words);
  });
});
