import { positive } from "../../app/search";
import { absoluteText, momentOf, type Zone } from "../../app/time";
import { statuses, statusWords } from "../../components/StatusBadge";
import type { Filter } from "./filter";

type Name = keyof Filter;

/** The filters of the search field, each with its meaning and an example. */
export const tokenNames: readonly { word: string; meaning: string; example: string }[] = [
  { word: "key", meaning: "whole business key or external id", example: "key:ORD-1042" },
  { word: "type", meaning: "workflow type", example: "type:order" },
  { word: "status", meaning: "status", example: "status:failed" },
  { word: "state", meaning: "current state", example: "state:charge" },
  { word: "created", meaning: "created within a period, or between two days", example: "created:24h" },
  { word: "ended", meaning: "ended within a period, or between two days", example: "ended:7d" },
  { word: "var", meaning: "value of a variable", example: "var:total=12.5" },
  { word: "failure", meaning: "fingerprint of a failure group", example: "failure:3f9a0c1d" },
  { word: "parent", meaning: "children of an instance", example: "parent:4711" },
  { word: "executor", meaning: "held by an executor", example: "executor:1" },
  { word: "group", meaning: "executor group", example: "group:default" },
  { word: "business", meaning: "business key only", example: "business:ORD-1042" },
  { word: "external", meaning: "external id only", example: "external:req-77" },
];

export type Parsed = { filter: Filter } | { error: string };

const texts: Record<string, Name> = {
  key: "key",
  state: "state",
  failure: "failure",
  group: "group",
  business: "businessKey",
  external: "externalId",
};
const unitMilliseconds: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/**
 * Adds a typed line to a filter. The line holds filters such as status:failed, and words that together are the start
 * of a key. Quotes keep spaces in a value: state:"on hold".
 */
export function parseLine(text: string, filter: Filter, now: number, zone: Zone): Parsed {
  const words: string[] = [];
  let parsed: Parsed = { filter };
  for (const [part] of text.matchAll(/(?:"[^"]*"|[^\s"]|")+/g)) {
    const token = part.replace(/"([^"]*)"/g, "$1");
    if (!isFilter(part)) {
      words.push(token);
      continue;
    }
    parsed = parseToken(token, parsed.filter, now, zone);
    if ("error" in parsed) return parsed;
  }
  return words.length ? { filter: { ...parsed.filter, keyPrefix: words.join(" ") } } : parsed;
}

/** Returns true if a part of a line starts with the name of a filter; a key in quotes may contain a colon as well. */
function isFilter(part: string): boolean {
  return /^[a-z]+:/i.test(part);
}

function parseToken(token: string, filter: Filter, now: number, zone: Zone): Parsed {
  const colon = token.indexOf(":");
  const name = token.slice(0, colon).toLowerCase();
  const value = token.slice(colon + 1).trim();
  if (!value) return { error: `Enter a value, for example ${exampleOf(name)}` };
  const textName = texts[name];
  if (textName) return { filter: { ...filter, [textName]: value } };
  switch (name) {
    case "type":
      return { filter: { ...filter, type: [...new Set([...(filter.type ?? []), value])] } };
    case "status":
      return parseStatus(value, filter);
    case "parent":
    case "executor": {
      const id = positive(value);
      return id ? { filter: { ...filter, [name]: id } } : { error: `${name} takes a number, for example ${exampleOf(name)}` };
    }
    case "created":
    case "ended":
      return parseTime(name, value, filter, now, zone);
    case "var": {
      const [variable, ...rest] = value.split("=");
      return variable && rest.length
        ? { filter: { ...filter, variable, value: rest.join("=") } }
        : { error: "Enter a name and a value, for example var:total=12.5" };
    }
    default:
      return { error: `Unknown filter "${name}". Expected one of: ${tokenNames.map(({ word }) => word).join(", ")}` };
  }
}

function exampleOf(name: string) {
  return tokenNames.find(({ word }) => word === name)?.example ?? "type:order";
}

function parseStatus(value: string, filter: Filter): Parsed {
  const wanted = value.toLowerCase().replace(/[\s_-]/g, "");
  const status = statuses.find((one) => one.toLowerCase() === wanted);
  return status
    ? { filter: { ...filter, status: [...new Set([...(filter.status ?? []), status])] } }
    : { error: `Unknown status "${value}". Expected one of: ${statuses.join(", ")}` };
}

function parseTime(name: "created" | "ended", value: string, filter: Filter, now: number, zone: Zone): Parsed {
  const [from, to] = name === "created" ? (["createdFrom", "createdTo"] as const) : (["endedFrom", "endedTo"] as const);
  const within = /^(\d+)([mhd])$/.exec(value);
  const day = /^(today|yesterday)$/i.exec(value);
  if (day) {
    const today = absoluteText(now, zone).slice(0, 10);
    const start = momentOf(today, zone, value.toLowerCase() === "today" ? 0 : -1);
    const end = momentOf(today, zone, value.toLowerCase() === "today" ? 1 : 0);
    return { filter: { ...filter, [from]: new Date(start).toISOString(), [to]: new Date(end).toISOString() } };
  }
  if (within) {
    const start = now - Number(within[1]) * (unitMilliseconds[within[2] ?? ""] ?? 0);
    return { filter: { ...filter, [from]: new Date(start).toISOString(), [to]: undefined } };
  }
  const [first = "", last = first] = value.split("..");
  const wholeDay = /^\d{4}-\d\d-\d\d$/.test(last) ? 1 : 0;
  const start = first ? momentOf(first, zone) : undefined;
  const end = last ? momentOf(last, zone, wholeDay) : undefined;
  if (Number.isNaN(start) || Number.isNaN(end)) {
    return { error: `${name} takes 15m, 24h, 7d, today, yesterday, a day such as 2026-11-05, or two with .. between` };
  }
  return {
    filter: {
      ...filter,
      [from]: start === undefined ? undefined : new Date(start).toISOString(),
      [to]: end === undefined ? undefined : new Date(end).toISOString(),
    },
  };
}

export interface Chip {
  label: string;
  /** Filter without this part. */
  without: Filter;
}

/** Returns the filter as chips, each of which can be removed. */
export function chips(filter: Filter, timeText: (at: string) => string): Chip[] {
  const result: Chip[] = [];
  const plain = (name: Name, label: string) => {
    const value = filter[name];
    if (value !== undefined) result.push({ label: `${label}: ${String(value)}`, without: { ...filter, [name]: undefined } });
  };
  for (const type of filter.type ?? []) {
    result.push({ label: `type: ${type}`, without: { ...filter, type: less(filter.type, type) } });
  }
  for (const status of filter.status ?? []) {
    result.push({ label: `status: ${statusWords[status]}`, without: { ...filter, status: less(filter.status, status) } });
  }
  plain("state", "state");
  plain("keyPrefix", "key starts with");
  plain("key", "key");
  plain("businessKey", "business key");
  plain("externalId", "external id");
  plain("parent", "parent");
  plain("executor", "executor");
  plain("group", "group");
  plain("failure", "failure");
  for (const [name, label] of [
    ["createdFrom", "created from"],
    ["createdTo", "created until"],
    ["endedFrom", "ended from"],
    ["endedTo", "ended until"],
  ] as const) {
    const at = filter[name];
    if (at) result.push({ label: `${label}: ${timeText(at)}`, without: { ...filter, [name]: undefined } });
  }
  if (filter.variable) {
    result.push({
      label: `${filter.variable} = ${filter.value ?? ""}`,
      without: { ...filter, variable: undefined, value: undefined },
    });
  }
  return result;
}

function less<T>(list: T[] | undefined, item: T): T[] | undefined {
  const rest = (list ?? []).filter((one) => one !== item);
  return rest.length ? rest : undefined;
}

/** Returns the id of the instance that a token opens, such as "4711" or "id:4711"; undefined for a filter. */
export function openedBy(text: string): number | undefined {
  const match = /^(?:id:\s*)?(\d+)$/i.exec(text.trim());
  return match ? positive(match[1]) : undefined;
}

interface Suggestion {
  text: string;
  meaning: string;
}

/** Returns the suggestions for the last word of a line; each suggestion is the whole line. */
export function suggestions(line: string, types: readonly string[]): Suggestion[] {
  const last = line.slice(line.lastIndexOf(" ") + 1);
  const before = line.slice(0, line.length - last.length);
  const found = before && !last ? [] : suggestionsFor(last, types, before === "");
  return found.map(({ text, meaning }) => ({ text: before + text, meaning }));
}

/** Returns the names of filters, or after a name the values of that filter. */
function suggestionsFor(text: string, types: readonly string[], alone: boolean): Suggestion[] {
  const typed = text.trim().toLowerCase();
  const colon = typed.indexOf(":");
  if (alone && positive(typed)) {
    return [
      { text: `id:${typed}`, meaning: "open the instance" },
      { text: `key:${typed}`, meaning: "whole business key or external id" },
    ];
  }
  if (colon < 0) {
    return tokenNames
      .filter(({ word }) => word.startsWith(typed))
      .map(({ word, meaning }) => ({ text: `${word}:`, meaning }));
  }
  const name = typed.slice(0, colon);
  const start = typed.slice(colon + 1);
  const values =
    name === "status"
      ? statuses.map((status) => [status, statusWords[status]] as const)
      : name === "type"
        ? types.map((type) => [type, "workflow type"] as const)
        : name === "created" || name === "ended"
          ? ([["today", "since midnight"], ["yesterday", "the day before"], ["1h", "last hour"], ["24h", "last day"], ["7d", "last week"], ["30d", "last 30 days"]] as const)
          : [];
  return values
    .filter(([value]) => value.toLowerCase().startsWith(start))
    .map(([value, meaning]) => ({ text: `${name}:${value}`, meaning }));
}
