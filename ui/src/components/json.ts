export type Token = { kind: "name" | "string" | "number" | "word" | "mark" | "space"; text: string };

const pattern = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null|[{}[\],:]/y;

/**
 * Splits JSON text into parts, with line breaks and indentation added. It does not parse values, so a number of any
 * size keeps its digits. Returns null if the text is not JSON.
 */
export function layOut(json: string): Token[] | null {
  const parts = split(json);
  if (!parts) return null;
  const tokens: Token[] = [];
  let depth = 0;
  const newLine = () => tokens.push({ kind: "space", text: `\n${"  ".repeat(depth)}` });
  parts.forEach((text, index) => {
    const next = parts[index + 1];
    if (text === "{" || text === "[") {
      tokens.push({ kind: "mark", text });
      depth += 1;
      if (next !== "}" && next !== "]") newLine();
    } else if (text === "}" || text === "]") {
      depth = Math.max(0, depth - 1);
      const before = parts[index - 1];
      if (before !== "{" && before !== "[") newLine();
      tokens.push({ kind: "mark", text });
    } else if (text === ",") {
      tokens.push({ kind: "mark", text });
      newLine();
    } else if (text === ":") {
      tokens.push({ kind: "mark", text }, { kind: "space", text: " " });
    } else {
      tokens.push({ kind: kindOf(text, next), text });
    }
  });
  return tokens;
}

/** Returns JSON text without the spaces between its parts; other text is returned unchanged. */
export function compact(json: string): string {
  return split(json)?.join("") ?? json;
}

/** Returns JSON text in lines, for a field; empty for an object without members. */
export function spread(json: string): string {
  return json === "{}" ? "" : (layOut(json)?.map(({ text }) => text).join("") ?? json);
}

/** Returns the number of lines of a field for the text. */
export function rowsFor(text: string): number {
  return Math.min(14, Math.max(3, text.split("\n").length));
}

function split(json: string): string[] | null {
  const parts: string[] = [];
  let at = 0;
  const skip = () => {
    while (at < json.length && /\s/.test(json[at] ?? "")) at += 1;
  };
  for (skip(); at < json.length; skip()) {
    pattern.lastIndex = at;
    const match = pattern.exec(json);
    if (!match) return null;
    parts.push(match[0]);
    at = pattern.lastIndex;
  }
  return parts.length ? parts : null;
}

function kindOf(text: string, next: string | undefined): Token["kind"] {
  if (text.startsWith('"')) return next === ":" ? "name" : "string";
  return /^[-\d]/.test(text) ? "number" : "word";
}

/** Returns the properties of a JSON object with the text of their values; null if the text is not an object. */
export function membersOf(json: string): { name: string; json: string }[] | null {
  const text = json.trim();
  if (!text.startsWith("{") || !isJson(text)) return null;
  const members: { name: string; json: string }[] = [];
  let depth = 0;
  let from = 1; // where the property begins
  let colon = 0;
  const end = (at: number) => {
    if (colon) members.push({ name: JSON.parse(text.slice(from, colon)) as string, json: text.slice(colon + 1, at).trim() });
    from = at + 1;
    colon = 0;
  };
  for (const { 0: part, index } of text.matchAll(new RegExp(pattern.source, "g"))) {
    if (part === "{" || part === "[") depth += 1;
    else if (part === "}" || part === "]") depth -= 1;
    if (depth === 0 || (depth === 1 && part === ",")) end(index);
    else if (depth === 1 && part === ":" && !colon) colon = index;
  }
  return members;
}

/** Returns true if the text is JSON. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Returns an error message for a text that is not JSON; null if it is. */
export function jsonFault(text: string): string | null {
  return isJson(text) ? null : 'Invalid JSON. A string needs quotes: "text".';
}

/** Returns an error message for a text that is not a JSON object; null if it is. */
export function objectFault(text: string): string | null {
  return jsonFault(text) ?? (text.trim().startsWith("{") ? null : 'Must be a JSON object, for example {"name": 1}.');
}
