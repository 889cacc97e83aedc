import { jsonFault, membersOf } from "../../components/json";

/** One property of the input. The value is what the field holds: JSON text, but for a text the text itself. */
export interface InputField {
  name: string;
  kind: "text" | "number" | "switch" | "json";
  value: string;
}

/** Fields for an input like this one, in its order; null when it is no object with properties. */
export function inputFields(example: string): InputField[] | null {
  const members = membersOf(example);
  return members?.length ? members.map(({ name, json }) => ({ name, ...fieldOf(json) })) : null;
}

function fieldOf(json: string): Pick<InputField, "kind" | "value"> {
  if (json.startsWith('"')) return { kind: "text", value: JSON.parse(json) as string };
  if (json === "true" || json === "false") return { kind: "switch", value: json };
  return { kind: /^[-\d]/.test(json) ? "number" : "json", value: json };
}

/** What is wrong with a field; null when it can be sent. */
export function fieldFault({ kind, value }: InputField): string | null {
  if (kind === "json") return jsonFault(value);
  return kind === "number" && !/^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(value.trim()) ? "Not a number." : null;
}

/** The fields as the JSON text of the input; numbers keep their digits. */
export function inputOf(fields: readonly InputField[]): string {
  const members = fields.map(
    ({ name, kind, value }) => `${JSON.stringify(name)}: ${kind === "text" ? JSON.stringify(value) : value.trim()}`,
  );
  return `{${members.join(", ")}}`;
}
