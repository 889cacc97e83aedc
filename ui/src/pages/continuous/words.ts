import type { ContinuousWorkflow, ContinuousLogEntry } from "../../api/schema";
import { absoluteText, durationText, type Zone } from "../../app/time";

export const stateWords: Record<ContinuousWorkflow["state"], { word: string; look: string; meaning: string }> = {
  disabled: { word: "disabled", look: "", meaning: "It does not run until it is enabled." },
  stopping: { word: "stopping", look: "warn", meaning: "Its executor closes the trigger." },
  waiting: { word: "waiting", look: "good", meaning: "Its trigger waits for the next event." },
  running: { word: "running", look: "good", meaning: "An execution of an event is running." },
  down: { word: "down", look: "warn", meaning: "No executor has it. One that has its code opens its trigger within seconds." },
  backingOff: { word: "backing off", look: "bad", meaning: "It has failed. Its trigger is opened again after a delay." },
  crashLoop: { word: "crash loop", look: "bad", meaning: "It fails repeatedly. An operator should look at it." },
};

export const logEntryWords: Record<ContinuousLogEntry["type"], string> = {
  enabled: "Enabled",
  disabled: "Disabled",
  started: "Started",
  continued: "Continued",
  released: "Released",
  lost: "Lost",
  failed: "Failed",
  crash_loop: "Crash loop",
  debug_started: "Debugging started",
  debug_ended: "Debugging ended",
};

const reasons: Record<string, string> = {
  DEPLOY: "first start or rollout",
  MANUAL: "requested by an operator",
  HOURLY: "regular continuation",
  MEMORY: "its process was low on memory",
  HISTORY: "its history was long",
  HAND_OVER: "handed over to another executor",
  RECYCLE: "its process was recycled",
  FAILOVER: "its executor failed",
  RESTART: "its trigger failed",
  DISABLED: "it was disabled",
};

/** Returns the text of a reason for a start or an end; an unknown reason is returned unchanged. */
export function reasonText(reason: string | null): string {
  return reason ? (reasons[reason] ?? reason) : "";
}

/** Returns true if the workflow is enabled but does not run, or fails. */
export function unhealthy({ enabled, health }: Pick<ContinuousWorkflow, "enabled" | "health">): boolean {
  return enabled && (health.crashLoop || health.downSince !== null || health.error !== null);
}

const modes: Record<string, string> = {
  AutoStart: "by the engine",
  "AutoStart (Continuation)": "as the continuation of the previous run",
  ManualStart: "by an operator",
};

/** Returns a text for the way a run was started; any other detail of a log entry is returned unchanged. */
export function detailText(detail: string | null): string {
  return detail ? (modes[detail] ?? detail) : "";
}

const length = /\bPT(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:\.\d+)?S)?(?=[\s;,.]|$)/g;

/** Formats the times in a condition that prevents a continuation. */
export function unmetText(text: string, zone: Zone): string {
  return text
    .replace(/\b\d{4}-\d\d-\d\dT[\d:.]+Z/g, (at) => absoluteText(Date.parse(at), zone))
    .replace(length, (_, hours = 0, minutes = 0, seconds = 0) =>
      durationText(((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1_000).replace(".0 s", " s"),
    );
}

const settingNames = { trigger: "Trigger", continuation: "New run after", restart: "Wait after a failure" };

/** Returns the settings in the workflow's code by name, known settings first; none if they are not a JSON object. */
export function settingFacts(json: string, zone: Zone): [name: string, value: string][] {
  let settings: unknown;
  try {
    settings = JSON.parse(json);
  } catch {
    return [];
  }
  if (typeof settings !== "object" || settings === null) return [];
  const { continuationAge: _, ...all } = settings as Record<string, unknown>; // older form of continuation
  const text = (value: unknown) => (value === "off" ? "never" : unmetText(typeof value === "string" ? value : JSON.stringify(value), zone));
  const known = Object.entries(settingNames).filter(([key]) => key in all);
  const others = Object.keys(all).filter((key) => !(key in settingNames));
  return [...known, ...others.map((key) => [key, key] as const)].map(([key, name]) => [name, text(all[key])]);
}
