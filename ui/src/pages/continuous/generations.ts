import type { ContinuousLogEntry } from "../../api/schema";

/** A period in which one run was active, or none although the workflow was enabled. */
export interface Stretch {
  from: number;
  to: number;
  /** Number of the run; null while none was active. */
  generation: number | null;
  series: number;
  /** Reason of the start; of a gap, the reason why the run before it ended. */
  reason: string;
  executorId: number | null;
}

const begins = new Set<ContinuousLogEntry["type"]>(["started", "continued"]);
const ends = new Set<ContinuousLogEntry["type"]>(["released", "lost", "failed", "crash_loop"]);

/**
 * Returns the runs from a moment until now, oldest first, from the log, newest first. The time before the
 * oldest entry is unknown and left out.
 */
export function stretches(log: readonly ContinuousLogEntry[], from: number, now: number): Stretch[] {
  const all: Stretch[] = [];
  let enabled = true;
  for (const { at: time, type, reason, generation, series, executorId } of log.toReversed()) {
    const at = Date.parse(time);
    const last = all.at(-1);
    const open = last && last.to === now ? last : undefined;
    if (begins.has(type)) {
      if (open) open.to = at;
      all.push({ from: at, to: now, generation, series, reason: reason ?? "", executorId });
    } else if (type === "disabled") {
      enabled = false;
      if (open?.generation === null) open.to = at;
    } else if (type === "enabled") {
      enabled = true;
    } else if (ends.has(type) && open && open.generation !== null) {
      open.to = at;
      if (enabled) all.push({ from: at, to: now, generation: null, series, reason: reason ?? type, executorId: null });
    }
  }
  return all.map((one) => ({ ...one, from: Math.max(one.from, from) })).filter((one) => one.to > one.from);
}

export type Tone = "begun" | "continued" | "recycled" | "handed" | "crashed" | "down";

export const toneWords: Record<Tone, string> = {
  begun: "started",
  continued: "continuation",
  recycled: "recycle",
  handed: "hand-over",
  crashed: "after a crash",
  down: "not running",
};

const tones: Record<string, Tone> = {
  HOURLY: "continued",
  MEMORY: "continued",
  HISTORY: "continued",
  RECYCLE: "recycled",
  HAND_OVER: "handed",
  FAILOVER: "crashed",
  RESTART: "crashed",
};

/** Returns the color of a run, by the reason of its start. */
export function toneOf({ generation, reason }: Pick<Stretch, "generation" | "reason">): Tone {
  return generation === null ? "down" : (tones[reason] ?? "begun");
}
