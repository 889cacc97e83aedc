import type { CountQuery } from "../../api/queries";
import { many, one, positive } from "../../app/search";
import { statuses } from "../../components/StatusBadge";

/** The filter in the page's address. Its names are those of the HTTP API. */
export type Filter = Omit<CountQuery, "cap">;

/** Returns the filter of an address, without invalid parts. */
export function readFilter(search: Record<string, unknown>): Filter {
  const all: Filter = {
    type: many(search.type),
    status: many(search.status, statuses),
    state: one(search.state),
    key: one(search.key),
    keyPrefix: one(search.keyPrefix),
    businessKey: one(search.businessKey),
    externalId: one(search.externalId),
    parent: positive(search.parent),
    executor: positive(search.executor),
    group: one(search.group),
    failure: one(search.failure),
    createdFrom: one(search.createdFrom),
    createdTo: one(search.createdTo),
    endedFrom: one(search.endedFrom),
    endedTo: one(search.endedTo),
    variable: one(search.variable),
    value: one(search.value),
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}
