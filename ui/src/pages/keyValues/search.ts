import { many, one } from "../../app/search";
import type { KeyStatus } from "../../api/schema";

export const keyStatuses = ["Unknown", "InProgress", "Warning", "Error", "Success"] as const satisfies KeyStatus[];

export interface KeySearch {
  group?: string;
  /** Key of the value that is shown in full. */
  key?: string;
  status?: KeyStatus[];
  from?: string;
  to?: string;
}

export function readKeySearch(search: Record<string, unknown>): KeySearch {
  const all: KeySearch = {
    group: one(search.group),
    key: one(search.key),
    status: many(search.status, keyStatuses),
    from: one(search.from),
    to: one(search.to),
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}
