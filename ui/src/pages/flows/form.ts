import type { JobRequest } from "../../api/flows";
import { isJson, membersOf, objectFault } from "../../components/json";
import { isOfProtocol } from "./fields";

/** A job as typed into the form. */
export interface JobForm {
  fields: string;
  delay: string;
  priority: string;
  uniqueKey: string;
  correlationId: string;
}

const longestDelay = 365 * 86_400;
const wholeTo = (text: string, most: number) => /^\d{1,9}$/.test(text.trim()) && Number(text) <= most;

/** Returns a form with the lookup fields of the flow. */
export function emptyJob(lookup: readonly string[]): JobForm {
  const members = lookup.map((name) => `  ${JSON.stringify(name)}: ""`);
  return { fields: members.length ? `{\n${members.join(",\n")}\n}` : "{}", delay: "", priority: "", uniqueKey: "", correlationId: "" };
}

function fieldsFault(text: string): string | null {
  const fault = objectFault(text);
  if (fault) return fault;
  const names = (membersOf(text) ?? []).map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) return `The field "${twice}" occurs twice.`;
  const taken = names.find((name) => name === "" || isOfProtocol(name));
  if (taken === undefined) return null;
  return taken === "" ? "A field needs a name." : `The field "${taken}" is reserved for the workers. Choose another name.`;
}

/** Returns the error messages by the name of the field. */
export function jobFaults({ fields, delay, priority }: JobForm): Partial<Record<keyof JobForm, string>> {
  const wrong = fieldsFault(fields);
  return {
    ...(wrong ? { fields: wrong } : {}),
    ...(delay.trim() === "" || wholeTo(delay, longestDelay) ? {} : { delay: "Expected whole seconds, at most a year, or nothing." }),
    ...(priority.trim() === "" || wholeTo(priority, 100) ? {} : { priority: "Expected a whole number from 1 (most urgent) to 100, or nothing." }),
  };
}

/** Returns the request of a form; invalid fields are left out. */
export function requestOf({ fields, delay, priority, uniqueKey, correlationId }: JobForm): JobRequest {
  const number = (text: string) => (wholeTo(text, longestDelay) && Number(text) > 0 ? Number(text) : undefined);
  return {
    fields: isJson(fields) ? fields.trim() : "{}",
    delaySeconds: number(delay),
    priority: number(priority),
    uniqueKey: uniqueKey.trim(),
    correlationId: correlationId.trim(),
  };
}
