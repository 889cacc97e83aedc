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
  cordoned: "It claims no new work. The instances that it holds continue.",
  draining: "It claims no more work and finishes the instances that it has started.",
  late: "Its heartbeat is late. When its lease expires, other executors recover its instances.",
  dead: "Its lease has expired. Its instances wait to be recovered.",
  recovered: "Its lease expired, and other executors have recovered its instances.",
  stopped: "It stopped normally.",
};

const rank: Record<Executor["status"], number> = { dead: 0, late: 1, draining: 2, cordoned: 3, alive: 4, recovered: 5, stopped: 6 };

/** Returns true if the executor should be working. */
export function works({ status }: Pick<Executor, "status">): boolean {
  return rank[status] < rank.recovered;
}

/** Returns the executors in the order of the page: those with problems first, stopped ones last, newest first. */
export function inOrder(executors: readonly Executor[]): Executor[] {
  return executors.toSorted((one, other) => rank[one.status] - rank[other.status] || other.id - one.id);
}
