import type { Executor } from "../../api/schema";

/** Returns the executors that accept the workflow, the ones with the most free capacity first. */
export function targetsOf(all: readonly Executor[], from: number | null): Executor[] {
  const room = ({ concurrency, runningHandlers }: Executor) => concurrency - runningHandlers;
  return all
    .filter(({ id, status }) => id !== from && status === "alive")
    .toSorted((one, other) => room(other) - room(one) || one.id - other.id);
}
