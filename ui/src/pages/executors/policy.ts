import type { PolicyChange } from "../../api/rollouts";
import type { RecyclePolicy } from "../../api/schema";
import { durationText } from "../../app/time";

/** A policy as typed into the form; empty texts for limits that are not set. */
export interface PolicyForm {
  enabled: boolean;
  /** Time of day, "04:30". */
  at: string;
  zone: string;
  windowMinutes: string;
  maxAgeHours: string;
  memoryPercent: string;
}

const text = (seconds: number | null, unit: number) => (seconds === null ? "" : String(Number((seconds / unit).toFixed(4))));

/** Returns the form of the current policy; without a policy, the defaults in the viewer's zone. */
export function policyFormOf(policy: RecyclePolicy, zone: string): PolicyForm {
  return {
    enabled: policy.enabled,
    at: policy.at?.slice(0, 5) ?? "04:30",
    zone: policy.zone ?? zone,
    windowMinutes: text(policy.windowSeconds ?? 3_600, 60),
    maxAgeHours: text(policy.maxAgeSeconds, 3_600),
    memoryPercent: policy.memoryPercent === null ? "" : String(policy.memoryPercent),
  };
}

function numberIn(typed: string, least: number, most: number, unit = 1): number | null | undefined {
  if (typed.trim() === "") return null;
  const number = /^\d{1,8}([.,]\d{1,4})?$/.test(typed.trim()) ? Math.round(Number(typed.trim().replace(",", ".")) * unit) : Number.NaN;
  return number >= least && number <= most ? number : undefined;
}

const windowOf = ({ windowMinutes }: PolicyForm) => numberIn(windowMinutes, 0, 43_200, 60);
const ageOf = ({ maxAgeHours }: PolicyForm) => numberIn(maxAgeHours, 60, 31_536_000, 3_600);
const memoryOf = ({ memoryPercent }: PolicyForm) =>
  memoryPercent.includes(".") || memoryPercent.includes(",") ? undefined : numberIn(memoryPercent, 1, 100);

/** Returns the error messages by the name of the field. */
export function policyFaults(form: PolicyForm): Partial<Record<keyof PolicyForm, string>> {
  return {
    ...(/^([01]\d|2[0-3]):[0-5]\d$/.test(form.at) ? {} : { at: "Expected a time of day such as 04:30." }),
    ...(form.zone.trim() ? {} : { zone: "Expected a zone such as Europe/Berlin." }),
    ...(windowOf(form) == null ? { windowMinutes: "Expected minutes from 0 to 720." } : {}),
    ...(ageOf(form) === undefined ? { maxAgeHours: "Expected hours up to 8,760, or nothing." } : {}),
    ...(memoryOf(form) === undefined ? { memoryPercent: "Expected a whole number from 1 to 100, or nothing." } : {}),
  };
}

/** Returns the policy of a form without faults. */
export function policyOf(form: PolicyForm): PolicyChange {
  return {
    enabled: form.enabled,
    at: form.at,
    zone: form.zone.trim(),
    windowSeconds: windowOf(form) ?? null,
    maxAgeSeconds: ageOf(form) ?? null,
    memoryPercent: memoryOf(form) ?? null,
  };
}

/** Returns the policy in sentences. */
export function policySentences({ enabled, at, zone, windowSeconds, maxAgeSeconds, memoryPercent }: RecyclePolicy): string[] {
  if (!enabled) return ["Automatic recycling is disabled."];
  const spread = windowSeconds ? `, one after another over ${durationText(windowSeconds * 1_000)}` : "";
  return [
    ...(at ? [`Each node restarts every day at ${at.slice(0, 5)}${zone ? ` in ${zone}` : ""}${spread}.`] : []),
    ...(maxAgeSeconds ? [`A node that is older than ${durationText(maxAgeSeconds * 1_000)} restarts at any time.`] : []),
    ...(memoryPercent ? [`A node whose heap usage stays at ${memoryPercent} % or more restarts at any time.`] : []),
  ];
}
