import type { Executor } from "../../api/schema";

/** The executors that would take it, those with the most room first. */
export function targetsOf(all: readonly Executor[], from: number | null): Executor[] {
  const room = ({ concurrency, running }: Executor) => concurrency - running;
  return all
    .filter(({ id, status }) => id !== from && status === "alive")
    .toSorted((one, other) => room(other) - room(one) || one.id - other.id);
}
