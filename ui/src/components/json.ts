export type Token = { kind: "name" | "string" | "number" | "word" | "mark" | "space"; text: string };

const pattern = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null|[{}[\],:]/y;

/**
 * Cuts JSON text into parts with line breaks and indentation added. Works on the text alone, so a
 * number of any size stays as it was written. Answers null when the text is not JSON.
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

/** JSON text without the spaces between its parts; what is not JSON stays as it is. */
export function compact(json: string): string {
  return split(json)?.join("") ?? json;
}

/** JSON text in lines, as one writes it into a field; empty for an object without members. */
export function spread(json: string): string {
  return json === "{}" ? "" : (layOut(json)?.map(({ text }) => text).join("") ?? json);
}

/** How many lines a field for a text shall show. */
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

/** The properties of a JSON object with their values as they were written; null when the text is no object. */
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

/** Whether a text is JSON; what is typed into a field is asked this before it is sent. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Why a typed text cannot be sent as JSON; null when it can. */
export function jsonFault(text: string): string | null {
  return isJson(text) ? null : 'Not JSON. A text needs quotes: "text".';
}

/** Why a typed text cannot be sent as a JSON object; null when it can. */
export function objectFault(text: string): string | null {
  return jsonFault(text) ?? (text.trim().startsWith("{") ? null : 'Not a JSON object. One looks like {"name": 1}.');
}
