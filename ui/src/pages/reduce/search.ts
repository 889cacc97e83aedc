import { one } from "../../app/search";

export interface ReduceSearch {
  group?: string;
  /** Key of the record whose state is shown. */
  key?: string;
}

export function readReduceSearch(search: Record<string, unknown>): ReduceSearch {
  const group = one(search.group);
  const key = one(search.key);
  return { ...(group ? { group } : {}), ...(key ? { key } : {}) };
}
