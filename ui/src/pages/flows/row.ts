import type { Flow, Queue } from "../../api/flows";

/** A queue in the row of its flow. */
export interface Stage {
  queue: Queue;
  /** Way to the queue on the right: by default, or only if a result names it; null for the last queue. */
  onward: "next" | "named" | null;
  /** Next queue of a job, if it is not the one on the right. */
  jump: string | null;
  /** Queues of the children that a job in this queue waits for. */
  children: Queue[];
}

/** Returns the queues of a flow in their order, each with the queues of its children. */
export function stagesOf(queues: readonly Queue[]): Stage[] {
  const names = new Set(queues.map(({ name }) => name));
  const isChild = ({ parent }: Queue) => parent != null && names.has(parent);
  const row = queues.filter((queue) => !isChild(queue));
  return row.map((queue, index) => {
    const right = row[index + 1]?.name;
    const next = queue.next ?? null;
    return {
      queue,
      onward: right === undefined ? null : next === right ? "next" : "named",
      jump: next !== null && next !== right ? next : null,
      children: queues.filter((child) => isChild(child) && child.parent === queue.name),
    };
  });
}

/** Returns the problems of a queue, worst first. Dead jobs are not included, since they are counted separately. */
export function troublesOf(queue: Queue): string[] {
  const { waiting, workers, paused, locksExpiring, problem } = queue;
  return [
    ...(problem ? [problem] : []),
    ...(waiting > 0 && workers === 0 && !paused ? ["jobs wait, but no Millrace worker serves the queue"] : []),
    ...(locksExpiring > 0 ? [locksExpiring === 1 ? "1 lock has expired or expires soon" : `${locksExpiring} locks have expired or expire soon`] : []),
  ];
}

/** Returns true if a flow has no workers, no jobs and no problems. */
export function isQuiet({ queues }: { queues: readonly Queue[] }): boolean {
  return queues.every((one) => one.workers + one.waiting + one.processing + one.delayed + one.dead === 0 && !one.paused && !one.problem);
}

/** Formats a rate: "0", "0.4", "12", "1,234". */
export function rateText(perMinute: number): string {
  if (perMinute <= 0) return "0";
  return perMinute < 9.95 ? perMinute.toFixed(1).replace(/\.0$/, "") : Math.round(perMinute).toLocaleString("en");
}

/** Returns a queue and its flow: the flow of the job if it has the queue, otherwise any. */
export function placeOf(flows: readonly Flow[], flow: string, queue: string): { flow: string; queue: Queue } | undefined {
  const own = flows.filter(({ name }) => name === flow);
  for (const { name, queues } of [...own, ...flows]) {
    const found = queues.find((one) => one.name === queue);
    if (found) return { flow: name, queue: found };
  }
  return undefined;
}
