import type { FoundJob, JobList, Queue } from "../../api/flows";
import { durationText } from "../../app/time";
import { countText } from "../../components/number";

export type JobState = FoundJob["state"];

export const stateWords: Record<JobState, { word: string; look: string }> = {
  waiting: { word: "waiting", look: "" },
  processing: { word: "processing", look: "good" },
  delayed: { word: "delayed", look: "warn" },
  dead: { word: "dead", look: "bad" },
  completed: { word: "completed", look: "good" },
  failed: { word: "failed", look: "bad" },
  unknown: { word: "in no queue", look: "warn" },
};

export const listWords: Record<JobList, { word: string; none: string; help: string }> = {
  waiting: { word: "Waiting", none: "No waiting jobs", help: "The next job to be processed comes first." },
  processing: { word: "Processing", none: "No jobs in processing", help: "Workers hold a lock on each job and renew it while they work." },
  delayed: { word: "Delayed", none: "No delayed jobs", help: "Each job waits in the queue once it is due." },
  dead: { word: "Dead", none: "No dead jobs", help: "Jobs that failed permanently. They can be requeued until they expire." },
};

/** The reason why a job is in its state, as text. */
export interface Why {
  text: string;
  look: "" | "why-warn" | "why-bad";
}

type Told = Pick<FoundJob, "state" | "queue" | "position" | "lockOwner" | "lockSeconds" | "failedQueue" | "failedErrorMsg" | "at"> & {
  children?: readonly Child[];
};

/** Formats a duration in whole seconds: "6 s", "1 min 30 s". */
export function secondsText(count: number): string {
  return count < 10 ? `${Math.round(count)} s` : durationText(count * 1_000);
}

const finished: ReadonlySet<JobState> = new Set(["completed", "dead", "failed"]);

type Child = Pick<FoundJob, "flow" | "state" | "fields" | "unreadable">;

/** Returns true if a child was deleted or has expired; its parent still names it, but does not wait for it. */
export function isGone({ state, fields, unreadable }: Child): boolean {
  return state === "unknown" && Object.keys(fields).length + Object.keys(unreadable).length === 0;
}

/** Returns the number of children that a job waits for in its queue, and how many of them have not finished. */
function childCounts({ queue, children = [] }: Told): { all: number; open: number } {
  const own = children.filter(({ flow }) => flow.startsWith(`${queue ?? ""}:`));
  return { all: own.length, open: own.filter((child) => !finished.has(child.state) && !isGone(child)).length };
}

/** Returns the number of jobs in each state as text: "9,998 completed, 2 failed". */
export function statesText(jobs: readonly Child[]): string {
  const counts = new Map<string, number>();
  for (const job of jobs) {
    const word = isGone(job) ? "gone" : stateWords[job.state].word;
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return [...counts].map(([word, count]) => `${countText(count)} ${word}`).join(", ");
}

/**
 * Returns one or two sentences that say why a job is in its state.
 *
 * @param queue the queue of the job, if it is known
 * @param elapsed seconds since the job was read
 * @param moment formats an instant
 */
export function whyOf(job: Told, queue: Queue | undefined, elapsed: number, moment: (at: string) => string): Why {
  const place = job.queue ?? job.failedQueue ?? "a queue";
  switch (job.state) {
    case "waiting":
      return waiting(job, place, queue);
    case "processing":
      return processing(job, place, elapsed);
    case "delayed": {
      const when = job.at ? `until ${moment(job.at)}` : "until it is due";
      return { text: `It is delayed ${when}, then it waits in ${place}.`, look: "" };
    }
    case "dead":
      return { text: `It failed in ${place}${because(job)} It is dead. Requeue it to retry.`, look: "why-bad" };
    case "failed":
      return { text: `It failed in ${place}${because(job)}`, look: "why-bad" };
    case "completed":
      return { text: "It is completed: it has passed through all its queues.", look: "" };
    case "unknown":
      return { text: "It exists, but is in no known queue. No worker processes it.", look: "why-warn" };
  }
}

function waiting({ position }: Told, place: string, queue: Queue | undefined): Why {
  const ahead = position == null ? null : Math.max(0, position);
  const behind =
    ahead === null ? `It waits in ${place}.` : ahead === 0 ? `It is next in ${place}.` : `It waits in ${place} behind ${countText(ahead)} ${ahead === 1 ? "other" : "others"}.`;
  if (queue?.paused) return { text: `${behind} The queue is paused${queue.pausedWhy ? `: ${queue.pausedWhy}` : "."}`, look: "why-warn" };
  if (queue?.workers === 0) return { text: `${behind} No Millrace worker serves this queue.`, look: "why-warn" };
  if (ahead && queue && queue.completedPerMinute > 0) {
    return { text: `${behind} At the current rate it starts in about ${secondsText(Math.ceil((ahead / queue.completedPerMinute) * 60))}.`, look: "" };
  }
  return { text: behind, look: "" };
}

function processing(job: Told, place: string, elapsed: number): Why {
  const { lockOwner, lockSeconds } = job;
  if (!lockOwner) {
    return { text: `It is being processed in ${place}, but no worker holds its lock. If no worker renews the lock, the job is requeued.`, look: "why-warn" };
  }
  const left = Math.ceil((lockSeconds ?? 0) - elapsed);
  if (left <= 0) {
    // The answer is old: the page is paused, or the server does not answer.
    return { text: `Worker ${lockOwner} was processing it in ${place} at the last read. Its lock has expired since then unless the worker renewed it.`, look: "" };
  }
  const { all, open } = childCounts(job);
  if (open > 0) {
    return {
      text: `It waits in ${place} for ${countText(open)} of ${countText(all)} children. Worker ${lockOwner} holds it; the lock expires in ${secondsText(left)} unless the worker renews it.`,
      look: "",
    };
  }
  return { text: `Worker ${lockOwner} is processing it in ${place}. The lock expires in ${secondsText(left)} unless the worker renews it.`, look: "" };
}

const because = ({ failedErrorMsg }: Told) => (failedErrorMsg ? `: ${failedErrorMsg.replace(/[.!?]?\s*$/, ".")}` : ", without a message.");
