import { jsonFault } from "../../components/json";

/** Lines that are not empty, each once. */
export function linesOf(text: string): string[] {
  return [...new Set(text.split("\n").map((line) => line.trim()))].filter(Boolean);
}

/** What is wrong with keys to forget. */
export function keysFault(text: string): string | null {
  const keys = linesOf(text);
  if (keys.length === 0) return "Expected a key at least, each on a line of its own.";
  if (keys.length > 1_000) return `These are ${keys.length.toLocaleString("en")} keys; at most 1,000 at once.`;
  return keys.some((key) => key.length > 1_000) ? "A key has at most 1,000 characters." : null;
}

/** What is wrong with records to try. */
export function recordsFault(text: string): string | null {
  if (!text.trim()) return "Expected a JSON array of records.";
  return jsonFault(text.trim()) ?? (text.trim().startsWith("[") ? null : "Expected an array: [ … ].");
}
