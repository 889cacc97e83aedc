import type { KeyContent } from "../../api/data";
import type { KeyStatus, KeyValue } from "../../api/schema";

/** A value as typed into the form. */
export interface KeyForm {
  key: string;
  value: string;
  status: KeyStatus;
  /** Lifetime in seconds from now; empty if the value does not expire. */
  expires: string;
}

const largest = 32_768;
const longest = 36_500 * 86_400;

export const statusLooks: Record<KeyStatus, string> = { Unknown: "", InProgress: "warn", Warning: "warn", Error: "bad", Success: "good" };

export const emptyForm: KeyForm = { key: "", value: "", status: "Unknown", expires: "" };

/** Returns the form of a value, with its remaining lifetime. */
export function formOf({ key, value, status, expires }: KeyValue, now: number): KeyForm {
  const left = expires === null ? "" : String(Math.max(1, Math.ceil((Date.parse(expires) - now) / 1_000)));
  return { key, value, status, expires: left };
}

/** Returns the error messages by the name of the field. */
export function keyFaults({ key, value, expires }: KeyForm): Partial<Record<keyof KeyForm, string>> {
  const bytes = new TextEncoder().encode(value).length;
  const seconds = expires.trim();
  return {
    ...(key.trim() ? {} : { key: "Expected a key." }),
    ...(bytes > largest ? { value: `The value has ${bytes.toLocaleString("en")} bytes in UTF-8. The limit is 32,768.` } : {}),
    ...(seconds === "" || (/^\d{1,10}$/.test(seconds) && Number(seconds) >= 1 && Number(seconds) <= longest)
      ? {}
      : { expires: "Expected a whole number of seconds, or nothing." }),
  };
}

/** Returns the content of a form without faults. */
export function contentOf({ value, status, expires }: KeyForm): KeyContent {
  return { value, status, expiresAfterSeconds: expires.trim() ? Number(expires) : null };
}
