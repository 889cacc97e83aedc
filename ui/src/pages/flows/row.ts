import type { Flow, Queue } from "../../api/flows";

/** A queue in the row of its flow. */
export interface Stage {
  queue: Queue;
  /** How a job gets to the queue to the right: by itself, or only when a result says so; null for the last one. */
  onward: "next" | "named" | null;
  /** A queue elsewhere that a job goes to by itself. */
  jump: string | null;
  /** The queues of the children that a job here waits for. */
  children: Queue[];
}

/** The queues of a flow in their order, each with those of its children. */
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

/** What is wrong with a queue, in words; the worst first. Dead jobs have a count of their own. */
export function troublesOf(queue: Queue): string[] {
  const { waiting, workers, paused, locksExpiring, problem } = queue;
  return [
    ...(problem ? [problem] : []),
    ...(waiting > 0 && workers === 0 && !paused ? ["jobs wait and no Millrace worker serves it"] : []),
    ...(locksExpiring > 0 ? [`${locksExpiring} ${locksExpiring === 1 ? "lock ends" : "locks end"} soon or ${locksExpiring === 1 ? "has" : "have"} ended`] : []),
  ];
}

/** Whether nobody works on a flow and nothing is in it. */
export function isQuiet({ queues }: { queues: readonly Queue[] }): boolean {
  return queues.every((one) => one.workers + one.waiting + one.processing + one.delayed + one.dead === 0 && !one.paused && !one.problem);
}

/** A rate that people can read: "0", "0.4", "12", "1,234". */
export function rateText(perMinute: number): string {
  if (perMinute <= 0) return "0";
  return perMinute < 9.95 ? perMinute.toFixed(1).replace(/\.0$/, "") : Math.round(perMinute).toLocaleString("en");
}

/** Where a queue is found: in the flow of the job when that has it, else in any. */
export function placeOf(flows: readonly Flow[], flow: string, queue: string): { flow: string; queue: Queue } | undefined {
  const own = flows.filter(({ name }) => name === flow);
  for (const { name, queues } of [...own, ...flows]) {
    const found = queues.find((one) => one.name === queue);
    if (found) return { flow: name, queue: found };
  }
  return undefined;
}
