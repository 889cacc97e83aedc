import { among, one } from "../../app/search";

export interface ContinuousSearch {
  text?: string;
  enabled?: "true" | "false";
  unhealthy?: "true";
}

export function readContinuousSearch(search: Record<string, unknown>): ContinuousSearch {
  const text = one(search.text);
  const enabled = among(search.enabled, ["true", "false"] as const);
  const unhealthy = among(search.unhealthy, ["true"] as const);
  return { ...(text ? { text } : {}), ...(enabled ? { enabled } : {}), ...(unhealthy ? { unhealthy } : {}) };
}
