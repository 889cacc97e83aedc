import { one, positive } from "../../app/search";

export interface AuditSearch {
  actor?: string;
  action?: string;
  instance?: number;
  from?: string;
  to?: string;
}

export function readAuditSearch(search: Record<string, unknown>): AuditSearch {
  const all: AuditSearch = {
    actor: one(search.actor),
    action: one(search.action),
    instance: positive(search.instance),
    from: one(search.from),
    to: one(search.to),
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}
