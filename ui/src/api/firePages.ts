import type { Fire } from "./schema";

/** The most that the server gives in one answer. */
const most = 1_000;

/** Where a page of fires goes on. */
interface Cursor {
  /** Only slots before this one. */
  before: string;
  /** Fires that are before it, and were shown by the pages before. */
  shown: readonly string[];
}

/** What the server is asked for. */
export interface FireAsk {
  before: string | undefined;
  limit: number;
  size: number;
  shown: readonly string[];
}

export interface FirePage {
  rows: Fire[];
  /** Null when there are no older ones. */
  next: string | null;
}

/** What tells a fire from the others of its workflow: a slot may have been run several times. */
export const fireKey = ({ slot, executionId, at }: Fire) => `${slot} ${executionId ?? ""} ${at ?? ""}`;

/** What to ask for to fill a page; `cursor` is the next of the page before it. */
export function fireAsk(cursor: string | undefined, size: number): FireAsk {
  const { before, shown } = cursor ? (JSON.parse(cursor) as Cursor) : { before: undefined, shown: [] };
  return { before, limit: Math.min(size + shown.length, most), size, shown };
}

/**
 * The page in the server's answer. The server goes on by slots only, so the slot at the border is asked for
 * once more, and what was shown of it is left out.
 */
export function firePage(answer: readonly Fire[], { limit, size, shown }: FireAsk): FirePage {
  const left = answer.filter((fire) => !shown.includes(fireKey(fire)));
  const rows = left.slice(0, size);
  const last = rows.at(-1) ?? answer.at(-1);
  if (!last || (answer.length < limit && left.length <= size)) return { rows, next: null };
  const sameSlot = rows.filter(({ slot }) => slot === last.slot).map(fireKey);
  const known = [...shown.filter((key) => key.startsWith(`${last.slot} `)), ...sameSlot];
  // One answer cannot hold more than this of one slot, so the page after it begins at the slot below.
  const cursor: Cursor =
    sameSlot.length === 0 || known.length >= most
      ? { before: last.slot, shown: [] }
      : { before: justAfter(last.slot), shown: known };
  return { rows, next: JSON.stringify(cursor) };
}

/** The instant a microsecond later, which is the finest that the server keeps. */
export function justAfter(instant: string): string {
  const [, seconds = "", fraction = ""] = /^([^.Z]*)(?:\.(\d+))?Z$/.exec(instant) ?? [];
  if (!seconds) throw new RangeError(`not an instant in UTC: ${instant}`);
  const micros = Number(fraction.padEnd(6, "0").slice(0, 6)) + 1;
  const whole = micros < 1_000_000 ? `${seconds}.` : new Date(Date.parse(`${seconds}Z`) + 1_000).toISOString().slice(0, -4);
  return `${whole}${String(micros % 1_000_000).padStart(6, "0")}Z`;
}
