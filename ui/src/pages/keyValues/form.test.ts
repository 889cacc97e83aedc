import { expect, it } from "vitest";
import type { KeyValue } from "../../api/schema";
import { contentOf, emptyForm, formOf, keyFaults } from "./form";
import { readKeySearch } from "./search";

const now = Date.parse("2026-11-22T12:00:00Z");
const kept: KeyValue = {
  ...{ key: "eur", value: "1.08", status: "Success", version: 7, expires: "2026-11-22T12:01:30.5Z" },
  ...{ created: "2026-11-20T12:00:00Z", modified: "2026-11-21T12:00:00Z" },
};

it("keeps the remaining lifetime of a value", () => {
  const form = formOf(kept, now);
  expect(form).toEqual({ key: "eur", value: "1.08", status: "Success", expires: "91" });
  expect(contentOf(form)).toEqual({ value: "1.08", status: "Success", expiresAfterSeconds: 91 });
  expect(contentOf(formOf({ ...kept, expires: null }, now)).expiresAfterSeconds).toBeNull();
});

it.each([
  [{ key: " " }, ["key"]],
  [{ value: "ü".repeat(16_384) }, []],
  [{ value: "ü".repeat(16_385) }, ["value"]],
  [{ expires: "0" }, ["expires"]],
  [{ expires: "1.5" }, ["expires"]],
  [{ expires: "soon" }, ["expires"]],
  [{ expires: " 60 " }, []],
])("finds what is wrong with %j", (part, expected) => {
  expect(Object.keys(keyFaults({ ...emptyForm, key: "a", ...part }))).toEqual(expected);
});

it("reads the address", () => {
  expect(readKeySearch({ group: "rates", status: ["Error", "Bad"], key: "" })).toEqual({ group: "rates", status: ["Error"] });
});
