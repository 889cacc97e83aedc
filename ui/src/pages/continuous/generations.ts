import type { ContinuousEvent } from "../../api/schema";

/** A stretch of time in which one run went on, or none did although it should. */
export interface Stretch {
  from: number;
  to: number;
  /** Null while it did not run. */
  generation: number | null;
  chain: number;
  /** Why it began; of a gap, why the run before it ended. */
  reason: string;
  executorId: number | null;
}

const begins = new Set<ContinuousEvent["type"]>(["started", "continued"]);
const ends = new Set<ContinuousEvent["type"]>(["given_back", "lost", "failed", "crash_loop"]);

/**
 * The runs from a moment until now, the oldest first, from events with the newest first. What was before the oldest
 * event is not known and left out.
 */
export function stretches(events: readonly ContinuousEvent[], from: number, now: number): Stretch[] {
  const all: Stretch[] = [];
  let on = true;
  for (const { at: time, type, reason, generation, chain, executorId } of events.toReversed()) {
    const at = Date.parse(time);
    const last = all.at(-1);
    const open = last && last.to === now ? last : undefined;
    if (begins.has(type)) {
      if (open) open.to = at;
      all.push({ from: at, to: now, generation, chain, reason: reason ?? "", executorId });
    } else if (type === "switched_off") {
      on = false;
      if (open?.generation === null) open.to = at;
    } else if (type === "switched_on") {
      on = true;
    } else if (ends.has(type) && open && open.generation !== null) {
      open.to = at;
      if (on) all.push({ from: at, to: now, generation: null, chain, reason: reason ?? type, executorId: null });
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

/** How a run is coloured: by what made it begin. */
export function toneOf({ generation, reason }: Pick<Stretch, "generation" | "reason">): Tone {
  return generation === null ? "down" : (tones[reason] ?? "begun");
}
