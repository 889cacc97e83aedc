import type { JobList } from "../../api/flows";
import { among, one } from "../../app/search";

export const jobLists = ["waiting", "processing", "delayed", "dead"] as const satisfies readonly JobList[];

/** A search for jobs of a flow, as in the address. */
export interface FlowSearch {
  field?: string;
  value?: string;
}

export function readFlowSearch(search: Record<string, unknown>): FlowSearch {
  const field = one(search.field);
  const value = one(search.value);
  return { ...(field ? { field } : {}), ...(value === undefined ? {} : { value }) };
}

/** The list of a queue to show, as in the address. */
export interface QueueSearch {
  list?: JobList;
}

export function readQueueSearch(search: Record<string, unknown>): QueueSearch {
  const list = among(search.list, jobLists);
  return list ? { list } : {};
}
