import type { JobList } from "../../api/flows";
import { among, one } from "../../app/search";

export const jobLists = ["waiting", "processing", "delayed", "dead"] as const satisfies readonly JobList[];

/** Which jobs of a flow are looked for. */
export interface FlowSearch {
  attribute?: string;
  value?: string;
}

export function readFlowSearch(search: Record<string, unknown>): FlowSearch {
  const attribute = one(search.attribute);
  const value = one(search.value);
  return { ...(attribute ? { attribute } : {}), ...(value === undefined ? {} : { value }) };
}

/** Which list of a queue is shown. */
export interface QueueSearch {
  list?: JobList;
}

export function readQueueSearch(search: Record<string, unknown>): QueueSearch {
  const list = among(search.list, jobLists);
  return list ? { list } : {};
}
