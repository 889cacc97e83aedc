import type { Change } from "../api/schema";

type Key = readonly unknown[];

/** Query keys of answers about task sequences. */
const sequences = new Set(["sequences", "sequence", "calendar", "taskVisits", "reports", "channels", "tasks", "task-types"]);

/** Query keys of answers about task sequences that show executions, each of which is an instance. */
const executions = new Set(["sequences", "sequence", "taskVisits"]);

/** Query keys of answers that sum up many instances; they are refreshed less often than single instances. */
const sums = new Set([
  ...["overview", "statistics", "problems", "failures", "instances", "definitions", "definition", "audit"],
  ...["maintenances", "subscriptions", "continuous-workflows", "ledger", "key-values", "reduce", "rollouts"],
  ...sequences,
]);

export function isSum(key: Key): boolean {
  return sums.has(String(key[0]));
}

/** Returns true if a change may affect the answer under a query key. */
export function touched(change: Change, key: Key): boolean {
  const [first, id] = key;
  const anyInstance = Boolean(change.more) || (change.instances?.length ?? 0) > 0;
  if (sequences.has(String(first))) {
    return Boolean(change.sequences) || (executions.has(String(first)) && anyInstance);
  }
  switch (first) {
    case "instance":
      return Boolean(change.more) || (change.instances ?? []).includes(Number(id));
    case "bulk":
      return id === undefined ? anyInstance : Boolean(change.more) || (change.instances ?? []).includes(Number(id));
    case "definition":
      return anyInstance && (!change.types?.length || Boolean(change.more) || change.types.includes(String(id)));
    case "executors":
      return Boolean(change.executors) || anyInstance;
    case "continuous-workflows":
    case "rollouts":
    case "overview":
    case "problems":
      return Boolean(change.executors) || anyInstance;
    default:
      return isSum(key) && anyInstance;
  }
}

/** Merges two changes into one. */
export function merge(one: Change, other: Change): Change {
  return {
    instances: [...new Set([...(one.instances ?? []), ...(other.instances ?? [])])],
    types: [...new Set([...(one.types ?? []), ...(other.types ?? [])])],
    more: Boolean(one.more || other.more),
    executors: Boolean(one.executors || other.executors),
    sequences: Boolean(one.sequences || other.sequences),
  };
}

/** A change that stands for "anything may have changed". */
export const everything: Change = { instances: [], types: [], more: true, executors: true, sequences: true };
