import type { AlwaysOn, AlwaysOnEvent } from "../../api/schema";
import { absoluteText, durationText, type Zone } from "../../app/time";

export const stateWords: Record<AlwaysOn["state"], { word: string; look: string; meaning: string }> = {
  off: { word: "off", look: "", meaning: "It shall not run." },
  stopping: { word: "stopping", look: "warn", meaning: "Its node closes the trigger." },
  starting: { word: "starting", look: "warn", meaning: "A node is to open the trigger." },
  waiting: { word: "waiting", look: "good", meaning: "Its trigger waits for the next event." },
  running: { word: "running", look: "good", meaning: "An execution of an event goes on." },
  backingOff: { word: "backing off", look: "bad", meaning: "It failed and is opened again after a while." },
  crashLoop: { word: "crash loop", look: "bad", meaning: "It fails again and again: somebody should look." },
};

export const eventWords: Record<AlwaysOnEvent["type"], string> = {
  switched_on: "Switched on",
  switched_off: "Switched off",
  started: "Started",
  continued: "Continued",
  given_back: "Given back",
  lost: "Lost",
  failed: "Failed",
  crash_loop: "Crash loop",
  debug_begun: "Looked into",
  debug_ended: "No longer looked into",
};

const reasons: Record<string, string> = {
  DEPLOY: "was to begin",
  MANUAL: "somebody wanted it",
  HOURLY: "its time was up",
  MEMORY: "the node was short of memory",
  HISTORY: "its history had grown",
  HAND_OVER: "handed over to another node",
  RECYCLE: "its node was recycled",
  FAILOVER: "its node died",
  RESTART: "its trigger failed",
  SWITCHED_OFF: "it was switched off",
};

/** Why a run began or ended, in words; a reason that is not known stays as it is. */
export function reasonText(reason: string | null): string {
  return reason ? (reasons[reason] ?? reason) : "";
}

/** Whether it shall run and does not, or fails. */
export function troubled({ desired, trouble }: Pick<AlwaysOn, "desired" | "trouble">): boolean {
  return desired === "on" && (trouble.crashLoop || trouble.downSince !== null || trouble.error !== null);
}

/** "3/12": how often it was switched on, and the runs since. */
export function generationText(run: AlwaysOn["run"]): string {
  return run ? `${run.chain}/${run.generation}` : "";
}

const length = /\bPT(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:\.\d+)?S)?(?=[\s;,.]|$)/g;

/** What stands against a continuation, with its times as people write them. */
export function unmetText(text: string, zone: Zone): string {
  return text
    .replace(/\b\d{4}-\d\d-\d\dT[\d:.]+Z/g, (at) => absoluteText(Date.parse(at), zone))
    .replace(length, (_, hours = 0, minutes = 0, seconds = 0) =>
      durationText(((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1_000),
    );
}
