import { among, one } from "../../app/search";

export interface AlwaysOnSearch {
  text?: string;
  desired?: "on" | "off";
  troubled?: "true";
}

export function readAlwaysOnSearch(search: Record<string, unknown>): AlwaysOnSearch {
  const text = one(search.text);
  const desired = among(search.desired, ["on", "off"] as const);
  const troubled = among(search.troubled, ["true"] as const);
  return { ...(text ? { text } : {}), ...(desired ? { desired } : {}), ...(troubled ? { troubled } : {}) };
}
