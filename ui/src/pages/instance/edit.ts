import { jsonFault } from "../../components/json";

export interface Edit {
  name: string;
  json: string;
  remove: boolean;
}

/**
 * Returns the changes of typed edits, with values as JSON texts, and an error message for each. Empty edits are
 * skipped.
 */
export function edited(edits: readonly Edit[]) {
  const set: Record<string, string> = {};
  const remove: string[] = [];
  const seen = new Set<string>();
  const faults = edits.map(({ name, json, remove: gone }) => {
    const key = name.trim();
    if (!key) return json.trim() ? "The variable's name is missing." : null;
    if (seen.has(key)) return `${key} occurs twice.`;
    seen.add(key);
    if (gone) {
      remove.push(key);
      return null;
    }
    const fault = json.trim() ? jsonFault(json) : "The value is missing.";
    if (!fault) set[key] = json.trim();
    return fault;
  });
  return { set, remove, faults };
}
