import { queryText } from "../api/client";

export type RawSearch = Record<string, string | string[]>;

/** Parses the part after "?": repeated names become lists, as in the HTTP API. */
export function parseSearch(text: string): RawSearch {
  const search = new URLSearchParams(text);
  const result: RawSearch = {};
  for (const name of new Set(search.keys())) {
    const all = search.getAll(name);
    result[name] = all.length === 1 ? (all[0] ?? "") : all;
  }
  return result;
}

export function writeSearch(search: Record<string, unknown>): string {
  return queryText(search as Record<string, string>);
}

/** Returns the value as one text; of a list, the first. */
export function one(value: unknown): string | undefined {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  return first === undefined || first === null || first === "" ? undefined : String(first);
}

/** Returns the value as a list without duplicates, limited to the allowed words if they are given. */
export function many<T extends string>(value: unknown, allowed?: readonly T[]): T[] | undefined {
  const all = (Array.isArray(value) ? value : [value]).filter((each) => each !== undefined && each !== "").map(String);
  const kept = allowed ? all.filter((each) => (allowed as readonly string[]).includes(each)) : all;
  return kept.length ? ([...new Set(kept)] as T[]) : undefined;
}

/** Returns the value as a positive whole number. */
export function positive(value: unknown): number | undefined {
  const number = Number(one(value));
  return Number.isSafeInteger(number) && number > 0 ? number : undefined;
}

/** Returns the value if it is one of the allowed words. */
export function among<T extends string>(value: unknown, allowed: readonly T[]): T | undefined {
  const text = one(value);
  return (allowed as readonly (string | undefined)[]).includes(text) ? (text as T) : undefined;
}
