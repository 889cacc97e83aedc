import type { InputField as Declared } from "../../api/schema";
import { absoluteText, momentOf, type Zone } from "../../app/time";
import { jsonFault, membersOf } from "../../components/json";

/**
 * One property of the input. The value is the content of the field: JSON text, but without quotes for texts, choices
 * and times; a time is in the chosen zone.
 */
export interface InputField {
  name: string;
  kind: Declared["type"];
  value: string;
  choices?: string[];
  /** True if a value must be given; undefined for an undeclared property, which is sent unchanged, even if empty. */
  required?: boolean;
}

/**
 * Returns the declared fields, with the example's values that fit; without a declaration, fields for an input like
 * the example, in its order. Null if there are none.
 */
export function inputFields(example: string, zone: Zone, declared?: readonly Declared[] | null): InputField[] | null {
  const members = membersOf(example) ?? [];
  if (!declared?.length) return members.length ? members.map(({ name, json }) => guessed(name, json)) : null;
  return declared.map(({ name, type, required, choices }) => {
    const json = members.findLast((member) => member.name === name)?.json ?? "null";
    const field = { name, kind: type, required, choices: choices ?? [], value: valueOf(type, json, zone) };
    return fieldFault(field) ? { ...field, value: type === "boolean" && required ? "false" : "" } : field;
  });
}

function guessed(name: string, json: string): InputField {
  if (json.startsWith('"')) return { name, kind: "text", value: JSON.parse(json) as string };
  if (json === "true" || json === "false") return { name, kind: "boolean", value: json };
  return { name, kind: /^[-\d]/.test(json) ? "number" : "json", value: json };
}

const quoted = new Set<InputField["kind"]>(["text", "choice", "date", "dateTime"]);

/** Returns a JSON value as the content of a field of this kind; empty if it does not fit. */
function valueOf(kind: InputField["kind"], json: string, zone: Zone): string {
  if (json === "null") return "";
  if (!quoted.has(kind)) return json;
  if (!json.startsWith('"')) return "";
  const text = JSON.parse(json) as string;
  if (kind !== "dateTime") return text;
  const moment = /(Z|[+-]\d\d:?\d\d)$/i.test(text) ? Date.parse(text) : NaN;
  if (Number.isNaN(moment)) return "";
  return absoluteText(moment, zone, true).replace(" ", "T").replace(/(:00)?\.000$/, "");
}

/** Returns the error message of a field; null if it can be sent. */
export function fieldFault({ kind, value, choices, required }: InputField): string | null {
  if (value.trim() === "" && required !== undefined) {
    if (!required) return null;
    return kind === "choice" ? "Required. Choose a value." : "Required. Enter a value.";
  }
  switch (kind) {
    case "text":
      return null;
    case "integer":
      return /^-?(0|[1-9]\d*)$/.test(value.trim()) ? null : "Must be a whole number.";
    case "number":
      return /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(value.trim()) ? null : "Must be a number.";
    case "boolean":
      return value === "true" || value === "false" ? null : "Must be true or false.";
    case "choice":
      return choices?.includes(value) ? null : "Must be one of the choices.";
    case "date":
      return instantOf(`${value}T00:00`, "utc")?.startsWith(value) ? null : "Must be a date: YYYY-MM-DD.";
    case "dateTime":
      return timeFault(value);
    case "json":
      return jsonFault(value);
  }
}

/** Returns the error message of a field for date and time; null if its value is valid. */
export function timeFault(value: string): string | null {
  return instantOf(value, "utc") ? null : "Must be a time: YYYY-MM-DD hh:mm.";
}

/** Returns the instant, as ISO text, of a field for date and time in the zone; null if the value is invalid. */
export function instantOf(value: string, zone: Zone): string | null {
  if (!/^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?$/.test(value)) return null;
  const [toTheSecond = "", fraction = "0"] = value.split(".");
  const moment = momentOf(toTheSecond, zone) + Number(`0.${fraction}`) * 1_000;
  return Number.isNaN(moment) ? null : new Date(moment).toISOString();
}

/** Returns the content of a field for date and time for an instant in the zone; other text is returned unchanged. */
export function fieldText(value: string, zone: Zone): string {
  return /(Z|[+-]\d\d:\d\d)$/.test(value) ? absoluteText(Date.parse(value), zone).replace(" ", "T") : value;
}

/** Returns the fields as JSON text; numbers keep their digits, a declared field without a value is left out. */
export function inputOf(fields: readonly InputField[], zone: Zone): string {
  const members = fields
    .filter(({ required, value }) => required === undefined || value.trim() !== "")
    .map((field) => `${JSON.stringify(field.name)}: ${jsonOf(field, zone)}`);
  return `{${members.join(", ")}}`;
}

function jsonOf({ kind, value }: InputField, zone: Zone): string {
  if (kind === "dateTime") return JSON.stringify(instantOf(value, zone) ?? value);
  return quoted.has(kind) ? JSON.stringify(value) : value.trim();
}
