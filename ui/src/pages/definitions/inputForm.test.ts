import { describe, expect, it } from "vitest";
import type { InputField as Declared } from "../../api/schema";
import { fieldFault, fieldText, inputFields, inputOf, instantOf, type InputField } from "./inputForm";

const example =
  '{"number": "M-1", "cents": 12345678901234567890.50, "gift": false, "tags": ["a", {"b": [1]}], "note": null, "a \\"b\\"": {}}';

describe("a form for an input like an earlier one", () => {
  it("has a field for each property, in order, by the kind of its value", () => {
    expect(inputFields(example, "utc")?.map(({ name, kind, value }) => [name, kind, value])).toEqual([
      ["number", "text", "M-1"],
      ["cents", "number", "12345678901234567890.50"],
      ["gift", "boolean", "false"],
      ["tags", "json", '["a", {"b": [1]}]'],
      ["note", "json", "null"],
      ['a "b"', "json", "{}"],
    ]);
  });

  it("returns the input with all its digits", () => {
    expect(inputOf(inputFields(example, "utc")!, "utc")).toBe(example);
  });

  it.each(['"Ada"', "12", "[1, 2]", "{}", "", "{oops", '{"a": 1} 2'])("is none for %s", (text) => {
    expect(inputFields(text, "utc")).toBeNull();
    expect(inputFields(text, "utc", [])).toBeNull();
  });

  it("reports the fault of a field, and sends an empty text", () => {
    const fault = (kind: InputField["kind"], value: string) => fieldFault({ name: "a", kind, value });
    expect(fault("number", "twelve")).toBe("Must be a number.");
    expect(fault("number", "")).toBe("Must be a number.");
    expect(fault("number", " -1.5e3 ")).toBeNull();
    expect(fault("number", "012")).toBe("Must be a number.");
    expect(fault("json", "{oops")).toMatch(/^Invalid JSON/);
    expect(fault("json", "")).toMatch(/^Invalid JSON/);
    expect(fault("text", "")).toBeNull();
    expect(inputOf([{ name: "a", kind: "text", value: "" }], "utc")).toBe('{"a": ""}');
  });
});

const declare = (required: boolean): Declared[] => [
  { name: "customer", type: "text", required },
  { name: "quantity", type: "integer", required },
  { name: "weight", type: "number", required },
  { name: "gift", type: "boolean", required },
  { name: "speed", type: "choice", required, choices: ["SLOW", "FAST"] },
  { name: "day", type: "date", required },
  { name: "at", type: "dateTime", required },
  { name: "delivery", type: "json", required },
];

const values = (fields: InputField[] | null) => Object.fromEntries(fields!.map(({ name, value }) => [name, value]));

describe("a form for the declared input", () => {
  const input =
    '{"customer": "Ada \\"A\\"", "quantity": 12345678901234567890, "weight": 1.50, "gift": true, "speed": "FAST", ' +
    '"day": "2026-11-21", "at": "2026-11-21T10:00:05.120Z", "delivery": {"parcels": [1.0]}}';

  it("has the declared fields in their order, with the values of an earlier input", () => {
    const shuffled = '{"speed": "FAST", "unknown": 1, "customer": "Ada"}';
    const fields = inputFields(shuffled, "utc", declare(true))!;
    expect(fields.map(({ name }) => name)).toEqual(declare(true).map(({ name }) => name));
    expect(values(fields)).toMatchObject({ customer: "Ada", speed: "FAST", quantity: "", gift: "false" });
  });

  it.each([true, false])("returns each kind unchanged (required: %s)", (required) => {
    expect(inputOf(inputFields(input, "utc", declare(required))!, "utc")).toBe(input);
    expect(inputOf(inputFields(input, "local", declare(required))!, "local")).toBe(input);
  });

  it.each(["", "{}", "12", '"Ada"', "{oops"])("starts empty with %s", (text) => {
    expect(values(inputFields(text, "utc", declare(false)))).toEqual({
      customer: "",
      quantity: "",
      weight: "",
      gift: "",
      speed: "",
      day: "",
      at: "",
      delivery: "",
    });
  });

  it.each([
    '{"customer": 12, "quantity": 1.0, "weight": "1", "gift": "yes", "speed": "slow", "day": "2026-02-31"}',
    '{"customer": null, "quantity": 1e3, "weight": [], "gift": 1, "speed": null, "day": 20260221, "at": 1795255200}',
    '{"customer": {}, "quantity": "1", "weight": true, "speed": 1, "day": "2026-11-21T10:00:00Z", "at": "2026-11-21"}',
    '{"at": "2026-11-21T10:00", "delivery": null}',
  ])("leaves out what does not fit: %s", (text) => {
    expect(inputOf(inputFields(text, "utc", declare(false))!, "utc")).toBe("{}");
    expect(inputOf(inputFields(text, "utc", declare(true))!, "utc")).toBe('{"gift": false}');
  });

  it("shows a time in the zone, as long as it must be, and sends the instant", () => {
    const shown = (at: string) => values(inputFields(`{"at": "${at}"}`, "utc", declare(false))).at;
    expect(shown("2026-11-21T10:00:00Z")).toBe("2026-11-21T10:00");
    expect(shown("2026-11-21T10:00:05Z")).toBe("2026-11-21T10:00:05");
    expect(shown("2026-11-21T10:00:05.120456Z")).toBe("2026-11-21T10:00:05.120");
    expect(shown("2026-11-21T12:00:00+02:00")).toBe("2026-11-21T10:00");
    expect(inputOf([{ name: "at", kind: "dateTime", required: true, value: "2026-11-21T10:00" }], "utc")).toBe(
      '{"at": "2026-11-21T10:00:00.000Z"}',
    );
    expect(instantOf("2026-07-02T03:04", "local")).toBe(new Date(2026, 6, 2, 3, 4).toISOString());
    expect(instantOf("12026-07-02T03:04", "local")).toBeNull();
    expect(instantOf("", "utc")).toBeNull();
  });

  it.each(["utc", "local"] as const)("shows an instant as the text that means it, %s", (zone) => {
    const instant = "2026-07-02T03:04:05.000Z";
    expect(instantOf(fieldText(instant, zone), zone)).toBe(instant);
    expect(fieldText(instant, "utc")).toBe("2026-07-02T03:04:05");
    expect(fieldText("", zone)).toBe("");
    expect(fieldText("0026-07-02T03:04", zone)).toBe("0026-07-02T03:04");
  });

  it("asks for what is required, and leaves out an optional field that is empty", () => {
    const required = inputFields("", "utc", declare(true))!;
    expect(Object.fromEntries(required.map((field) => [field.name, fieldFault(field)]))).toEqual({
      customer: "Required. Enter a value.",
      quantity: "Required. Enter a value.",
      weight: "Required. Enter a value.",
      gift: null,
      speed: "Required. Choose a value.",
      day: "Required. Enter a value.",
      at: "Required. Enter a value.",
      delivery: "Required. Enter a value.",
    });
    expect(fieldFault({ ...required[0]!, value: "  " })).toBe("Required. Enter a value.");
    const optional = inputFields("", "utc", declare(false))!;
    expect(optional.map(fieldFault)).toEqual(optional.map(() => null));
    expect(inputOf(optional, "utc")).toBe("{}");
  });

  it.each<[InputField["kind"], string, string | null]>([
    ["integer", "1.5", "Must be a whole number."],
    ["integer", "1e3", "Must be a whole number."],
    ["integer", "007", "Must be a whole number."],
    ["integer", "two", "Must be a whole number."],
    ["integer", " -12 ", null],
    ["number", "1,5", "Must be a number."],
    ["number", "1e3", null],
    ["boolean", "yes", "Must be true or false."],
    ["boolean", "false", null],
    ["choice", "MEDIUM", "Must be one of the choices."],
    ["choice", "SLOW", null],
    ["date", "12026-11-21", "Must be a date: YYYY-MM-DD."],
    ["date", "2026-02-29", "Must be a date: YYYY-MM-DD."],
    ["date", "2028-02-29", null],
    ["dateTime", "12026-11-21T10:00", "Must be a time: YYYY-MM-DD hh:mm."],
    ["dateTime", "0026-11-21T10:00", "Must be a time: YYYY-MM-DD hh:mm."],
    ["dateTime", "2026-11-21T10:00", null],
    ["json", "{oops", 'Invalid JSON. A string needs quotes: "text".'],
    ["json", "null", null],
  ])("judges a value: %s %s", (kind, value, fault) => {
    for (const required of [true, false]) {
      expect(fieldFault({ name: "a", kind, value, required, choices: ["SLOW", "FAST"] })).toBe(fault);
    }
  });
});
