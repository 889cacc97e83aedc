import { among, one } from "../../app/search";

export interface ContinuousSearch {
  text?: string;
  desired?: "on" | "off";
  troubled?: "true";
}

export function readContinuousSearch(search: Record<string, unknown>): ContinuousSearch {
  const text = one(search.text);
  const desired = among(search.desired, ["on", "off"] as const);
  const troubled = among(search.troubled, ["true"] as const);
  return { ...(text ? { text } : {}), ...(desired ? { desired } : {}), ...(troubled ? { troubled } : {}) };
}
