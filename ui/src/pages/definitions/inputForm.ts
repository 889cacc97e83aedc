import type { InputField as Declared } from "../../api/schema";
import { absoluteText, momentOf, type Zone } from "../../app/time";
import { jsonFault, membersOf } from "../../components/json";

/**
 * One property of the input. The value is what the field holds: JSON text, but for texts, choices and times
 * without the quotes, and a time as the chosen zone has it.
 */
export interface InputField {
  name: string;
  kind: Declared["type"];
  value: string;
  choices?: string[];
  /** Undefined for what is not declared: it is sent as it is, even when it is empty. */
  required?: boolean;
}

/**
 * The declared fields, with the example's values that fit; without a declaration fields for an input like the
 * example, in its order. Null when there are none.
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

/** A JSON value as a field of this kind holds it; empty when it cannot. */
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

/** What is wrong with a field; null when it can be sent. */
export function fieldFault({ kind, value, choices, required }: InputField): string | null {
  if (value.trim() === "" && required !== undefined) {
    if (!required) return null;
    return kind === "choice" ? "Required: choose one." : "Required: it must not be empty.";
  }
  switch (kind) {
    case "text":
      return null;
    case "integer":
      return /^-?(0|[1-9]\d*)$/.test(value.trim()) ? null : "Not a whole number.";
    case "number":
      return /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(value.trim()) ? null : "Not a number.";
    case "boolean":
      return value === "true" || value === "false" ? null : "Neither true nor false.";
    case "choice":
      return choices?.includes(value) ? null : "Not one of the choices.";
    case "date":
      return instantOf(`${value}T00:00`, "utc")?.startsWith(value) ? null : "Not a day of the form YYYY-MM-DD.";
    case "dateTime":
      return timeFault(value);
    case "json":
      return jsonFault(value);
  }
}

/** What is wrong with the value of a field for date and time. */
export function timeFault(value: string): string | null {
  return instantOf(value, "utc") ? null : "Not a time of the form YYYY-MM-DD hh:mm.";
}

/** The instant, in ISO text, that a field for date and time means in the zone; null when it means none. */
export function instantOf(value: string, zone: Zone): string | null {
  if (!/^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?$/.test(value)) return null;
  const [toTheSecond = "", fraction = "0"] = value.split(".");
  const moment = momentOf(toTheSecond, zone) + Number(`0.${fraction}`) * 1_000;
  return Number.isNaN(moment) ? null : new Date(moment).toISOString();
}

/** What a field for date and time shows for an instant in the zone; a text without a zone is what was typed there. */
export function fieldText(value: string, zone: Zone): string {
  return /(Z|[+-]\d\d:\d\d)$/.test(value) ? absoluteText(Date.parse(value), zone).replace(" ", "T") : value;
}

/** The fields as the JSON text of the input; numbers keep their digits, a declared field without a value is left out. */
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
