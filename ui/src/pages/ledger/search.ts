import { many, one } from "../../app/search";
import type { LedgerState } from "../../api/schema";

export const ledgerStates = ["claimed", "running", "succeeded", "failed", "released", "missed"] as const satisfies LedgerState[];

export interface LedgerSearch {
  schedule?: string;
  /** Key of the first period to list; `to` is the last. */
  from?: string;
  to?: string;
  state?: LedgerState[];
  /** Key of the period whose result is shown. */
  period?: string;
}

export function readLedgerSearch(search: Record<string, unknown>): LedgerSearch {
  const all: LedgerSearch = {
    schedule: one(search.schedule),
    from: one(search.from),
    to: one(search.to),
    state: many(search.state, ledgerStates),
    period: one(search.period),
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}
