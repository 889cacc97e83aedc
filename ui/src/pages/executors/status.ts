import type { Executor } from "../../api/schema";

export const statusLooks: Record<Executor["status"], string> = {
  alive: "good",
  cordoned: "warn",
  draining: "warn",
  late: "warn",
  dead: "bad",
  recovered: "",
  stopped: "",
};

export const statusTexts: Record<Executor["status"], string> = {
  alive: "Its heartbeat is on time.",
  cordoned: "It takes no new work; what it holds goes on.",
  draining: "It takes no more work and ends what it began.",
  late: "Its heartbeat is late; when its lease ends, others take its work over.",
  dead: "Its lease has ended. What it held waits to be taken over.",
  recovered: "It died; others have taken over what it held.",
  stopped: "It stopped in good order.",
};

const rank: Record<Executor["status"], number> = { dead: 0, late: 1, draining: 2, cordoned: 3, alive: 4, recovered: 5, stopped: 6 };

/** Whether the executor should be working. */
export function works({ status }: Pick<Executor, "status">): boolean {
  return rank[status] < rank.recovered;
}

/** Those that need a look first, those that are gone last; newest first among equals. */
export function inOrder(executors: readonly Executor[]): Executor[] {
  return executors.toSorted((one, other) => rank[one.status] - rank[other.status] || other.id - one.id);
}
