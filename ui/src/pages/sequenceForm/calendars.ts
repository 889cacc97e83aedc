import { jsonFault } from "../../components/json";

const example = '[{"name": "Germany", "holidays": [{"name": "Christmas", "date": "2026-12-25", "yearly": true}]}]';

export const calendarsExample = JSON.stringify(JSON.parse(example), null, 2);

type Fields = Record<string, (value: unknown) => boolean>;

const name = (value: unknown) => typeof value === "string" && value.trim() !== "" && value.length <= 100;
const day = (value: unknown) =>
  typeof value === "string" && /^\d{4}-\d\d-\d\d$/.test(value) && new Date(`${value}T00:00Z`).toJSON()?.startsWith(value) === true;
const moment = (value: unknown) =>
  typeof value === "string" && /^\d{4}-\d\d-\d\dT.*Z$/.test(value) && !Number.isNaN(Date.parse(value));
const truth = (value: unknown) => value === undefined || typeof value === "boolean";
const list = (value: unknown) => value === undefined || Array.isArray(value);

const calendar: Fields = { name, holidays: list, blackouts: list };
const holiday: Fields = { name, date: day, yearly: truth };
const blackout: Fields = { name, from: moment, to: moment };

const expected: Record<string, string> = {
  name: "a text of 1 to 100 characters",
  holidays: "a list",
  blackouts: "a list",
  date: "a day such as 2026-12-25",
  yearly: "true or false",
  from: "a time such as 2026-05-01T20:00:00Z",
  to: "a time such as 2026-05-01T20:00:00Z",
};

/** Returns the first error of the JSON text of calendars; null if it is valid. */
export function calendarsFault(text: string): string | null {
  const fault = jsonFault(text);
  if (fault) return fault;
  const all = JSON.parse(text) as unknown;
  if (!Array.isArray(all)) return `Expected a list, such as ${example}`;
  if (all.length > 20) return `There are ${all.length} calendars, expected at most 20.`;
  for (const [index, one] of all.entries()) {
    const where = `Calendar ${index + 1}`;
    const inside =
      entryFault(where, one, calendar) ??
      entriesFault(`${where}, holiday`, one, "holidays", holiday) ??
      entriesFault(`${where}, blackout`, one, "blackouts", blackout);
    if (inside) return inside;
  }
  return null;
}

function entriesFault(where: string, one: unknown, key: string, fields: Fields): string | null {
  const entries = ((one as Record<string, unknown>)[key] ?? []) as unknown[];
  for (const [index, entry] of entries.entries()) {
    const fault = entryFault(`${where} ${index + 1}`, entry, fields);
    if (fault) return fault;
    const { from, to } = entry as Record<string, unknown>;
    if (from && Date.parse(String(from)) >= Date.parse(String(to))) return `${where} ${index + 1}: 'to' is not after 'from'.`;
  }
  return null;
}

function entryFault(where: string, one: unknown, fields: Fields): string | null {
  if (typeof one !== "object" || one === null || Array.isArray(one)) return `${where}: expected an object.`;
  const strange = Object.keys(one).find((key) => !(key in fields));
  if (strange) return `${where} has '${strange}', expected some of ${Object.keys(fields).join(", ")}.`;
  const wrong = Object.entries(fields).find(([key, fits]) => !fits((one as Record<string, unknown>)[key]));
  return wrong ? `${where}: '${wrong[0]}' is missing or invalid, expected ${expected[wrong[0]]}.` : null;
}
