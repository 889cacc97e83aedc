import type { FoundJob, JobList, Queue } from "../../api/flows";
import { durationText } from "../../app/time";
import { countText } from "../../components/number";

export type JobState = FoundJob["state"];

export const stateWords: Record<JobState, { word: string; look: string }> = {
  waiting: { word: "waiting", look: "" },
  processing: { word: "processing", look: "good" },
  delayed: { word: "delayed", look: "warn" },
  dead: { word: "dead", look: "bad" },
  done: { word: "done", look: "good" },
  failed: { word: "failed", look: "bad" },
  unknown: { word: "in no queue", look: "warn" },
};

export const listWords: Record<JobList, { word: string; none: string; help: string }> = {
  waiting: { word: "Waiting", none: "No job waits", help: "The next one to be taken comes first." },
  processing: { word: "Processing", none: "No job is being processed", help: "Workers hold a lock on each and renew it while they work." },
  delayed: { word: "Delayed", none: "No job is delayed", help: "Each goes to those that wait when its time has come." },
  dead: { word: "Dead", none: "No job is dead", help: "Jobs that failed for good; they can be requeued until their time to live ends." },
};

/** Why a job is where it is. */
export interface Why {
  text: string;
  look: "" | "why-warn" | "why-bad";
}

type Told = Pick<FoundJob, "state" | "queue" | "position" | "lockOwner" | "lockSeconds" | "failedQueue" | "failedErrorMsg" | "at"> & {
  children?: readonly Child[];
};

/** A length of time in whole seconds: "6 s", "1 min 30 s". */
export function secondsText(count: number): string {
  return count < 10 ? `${Math.round(count)} s` : durationText(count * 1_000);
}

const over: ReadonlySet<JobState> = new Set(["done", "dead", "failed"]);

type Child = Pick<FoundJob, "flow" | "state" | "fields" | "unreadable">;

/** Whether a child was deleted or has outlived its time: its parent names it still, and no longer waits for it. */
export function isGone({ state, fields, unreadable }: Child): boolean {
  return state === "unknown" && Object.keys(fields).length + Object.keys(unreadable).length === 0;
}

/** The children of a queue that a job waits for there, and how many of them have not ended. */
function brood({ queue, children = [] }: Told): { all: number; open: number } {
  const own = children.filter(({ flow }) => flow.startsWith(`${queue ?? ""}:`));
  return { all: own.length, open: own.filter((child) => !over.has(child.state) && !isGone(child)).length };
}

/** How many jobs are in each state, in words: "9,998 done, 2 failed". */
export function statesText(jobs: readonly Child[]): string {
  const counts = new Map<string, number>();
  for (const job of jobs) {
    const word = isGone(job) ? "gone" : stateWords[job.state].word;
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return [...counts].map(([word, count]) => `${countText(count)} ${word}`).join(", ");
}

/**
 * One sentence or two on why a job is where it is.
 *
 * @param queue the one that it is in, when it is known
 * @param elapsed seconds since the server said so
 * @param moment an instant as the user reads it
 */
export function whyOf(job: Told, queue: Queue | undefined, elapsed: number, moment: (at: string) => string): Why {
  const place = job.queue ?? job.failedQueue ?? "a queue";
  switch (job.state) {
    case "waiting":
      return waiting(job, place, queue);
    case "processing":
      return processing(job, place, elapsed);
    case "delayed": {
      const when = job.at ? `until ${moment(job.at)}` : "until its time has come";
      return { text: `It is delayed ${when}; then it waits in ${place}.`, look: "" };
    }
    case "dead":
      return { text: `It failed in ${place}${because(job)} It stands among the dead jobs there: requeue it to have it tried again.`, look: "why-bad" };
    case "failed":
      return { text: `It failed in ${place}${because(job)}`, look: "why-bad" };
    case "done":
      return { text: "It is done: it went through all its queues.", look: "" };
    case "unknown":
      return { text: "It is kept, but stands in no queue that is known here: nobody works on it.", look: "why-warn" };
  }
}

function waiting({ position }: Told, place: string, queue: Queue | undefined): Why {
  const ahead = position == null ? null : Math.max(0, position);
  const behind =
    ahead === null ? `It waits in ${place}.` : ahead === 0 ? `It is the next one in ${place}.` : `It waits in ${place} behind ${countText(ahead)} ${ahead === 1 ? "other" : "others"}.`;
  if (queue?.paused) return { text: `${behind} The queue is paused${queue.pausedWhy ? `: ${queue.pausedWhy}` : "."}`, look: "why-warn" };
  if (queue?.workers === 0) return { text: `${behind} No Millrace worker serves this queue.`, look: "why-warn" };
  if (ahead && queue && queue.completedPerMinute > 0) {
    return { text: `${behind} At the rate of this minute it is taken in about ${secondsText(Math.ceil((ahead / queue.completedPerMinute) * 60))}.`, look: "" };
  }
  return { text: behind, look: "" };
}

function processing(job: Told, place: string, elapsed: number): Why {
  const { lockOwner, lockSeconds } = job;
  if (!lockOwner) {
    return { text: `It was taken in ${place}, but no worker holds its lock: it is put back when it stays like that.`, look: "why-warn" };
  }
  const left = Math.ceil((lockSeconds ?? 0) - elapsed);
  if (left <= 0) {
    // What was read is old: the page is paused, or the server does not answer.
    return { text: `Worker ${lockOwner} worked on it in ${place} when this was read; its lock has ended since then unless the worker renewed it.`, look: "" };
  }
  const { all, open } = brood(job);
  if (open > 0) {
    return {
      text: `It waits in ${place} for ${countText(open)} of ${countText(all)} children; worker ${lockOwner} watches over it, and the lock ends in ${secondsText(left)} unless the worker renews it.`,
      look: "",
    };
  }
  return { text: `Worker ${lockOwner} works on it in ${place}; the lock ends in ${secondsText(left)} unless the worker renews it.`, look: "" };
}

const because = ({ failedErrorMsg }: Told) => (failedErrorMsg ? `: ${failedErrorMsg.replace(/[.!?]?\s*$/, ".")}` : ", without a message.");
