import { jsonFault } from "../../components/json";

/** Returns the lines that are not empty, each once. */
export function linesOf(text: string): string[] {
  return [...new Set(text.split("\n").map((line) => line.trim()))].filter(Boolean);
}

/** Returns the error message of keys to forget; null if they are valid. */
export function keysFault(text: string): string | null {
  const keys = linesOf(text);
  if (keys.length === 0) return "Expected at least one key, one per line.";
  if (keys.length > 1_000) return `Too many keys: ${keys.length.toLocaleString("en")} keys (limit 1,000).`;
  return keys.some((key) => key.length > 1_000) ? "A key has at most 1,000 characters." : null;
}

/** Returns the error message of records to compare; null if they are valid. */
export function recordsFault(text: string): string | null {
  if (!text.trim()) return "Expected a JSON array of records.";
  return jsonFault(text.trim()) ?? (text.trim().startsWith("[") ? null : "Expected an array: [ … ].");
}
