import type { LogLine } from "../../api/schema";

export const levels: readonly LogLine["level"][] = ["trace", "debug", "info", "warn", "error"];

/** Returns a filter for lines of a level or above. */
export function upFrom(level: LogLine["level"]) {
  const least = levels.indexOf(level);
  return (line: LogLine) => levels.indexOf(line.level) >= least;
}

export interface Attempt {
  key: number;
  title: string;
  lines: LogLine[];
}

/** Groups consecutive lines of the same attempt. */
export function attemptsOf(lines: readonly LogLine[]): Attempt[] {
  const attempts: Attempt[] = [];
  let last = "";
  for (const line of lines) {
    const title = [
      line.state ?? "outside a state",
      line.attempt ? `attempt ${line.attempt}` : null,
      line.executorId ? `executor ${line.executorId}` : null,
    ]
      .filter(Boolean)
      .join(", ");
    if (title !== last) attempts.push({ key: line.id, title, lines: [] });
    attempts.at(-1)!.lines.push(line);
    last = title;
  }
  return attempts;
}
