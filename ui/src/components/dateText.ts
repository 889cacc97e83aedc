const dateForm = /^\d{4}-\d\d-\d\d$/;
const timeForm = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?$/;

/** Parses a date ("2026-11-05"), or with `time` a local time ("2026-11-05T16:30"); null if the text is neither. */
export function readDate(text: string, time: boolean): string | null {
  const trimmed = text.trim();
  if (!(time ? timeForm : dateForm).test(trimmed)) return null;
  const value = trimmed.replace(" ", "T");
  const moment = new Date(`${time ? value : `${value}T00:00`}Z`);
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(value.slice(0, 16)) ? value : null;
}

/** Formats a date or a local time for the pages: "2026-11-05 16:30". */
export const showDate = (value: string) => value.replace("T", " ");
