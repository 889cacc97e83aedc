import type { HistoryEntry, InstanceDetail } from "../../api/schema";

export type SegmentKind = "run" | "failed" | "action" | "wait" | "backOff" | "open";

export interface Segment {
  kind: SegmentKind;
  from: number;
  to: number;
}

export interface Row {
  key: string;
  seq: number | null;
  label: string;
  detail: string;
  segments: Segment[];
}

const operatorActions = new Set<HistoryEntry["type"]>(["cancel", "pause", "resume", "retry", "move", "wake", "editVariables", "recovery"]);

/** Returns one row for each attempt and operator action: the wait before it, and the run itself. */
export function rowsOf(
  instance: Pick<InstanceDetail, "created" | "ended" | "state" | "status" | "why">,
  entries: readonly HistoryEntry[],
  now: number,
): Row[] {
  const [first] = entries;
  // The time before the first loaded entry is unknown.
  let before = Date.parse(first && first.seq > 1 ? first.started : instance.created);
  let afterFailure = false;
  const rows: Row[] = [];
  for (const entry of entries) {
    const started = Math.max(before, Date.parse(entry.started));
    const ended = Math.max(started, Date.parse(entry.ended));
    const byOperator = operatorActions.has(entry.type);
    const failed = entry.type === "stateExecutionFailed";
    const segments: Segment[] = [];
    if (started > before) segments.push({ kind: afterFailure ? "backOff" : "wait", from: before, to: started });
    segments.push({ kind: byOperator ? "action" : failed ? "failed" : "run", from: started, to: ended });
    rows.push({
      key: String(entry.seq),
      seq: entry.seq,
      label: byOperator ? entry.type : entry.from,
      detail: [
        byOperator ? `${entry.type}${entry.actor ? ` by ${entry.actor}` : ""}` : `attempt ${entry.attempt}`,
        entry.from === entry.to ? null : `to ${entry.to}`,
        entry.reason,
      ]
        .filter(Boolean)
        .join(" · "),
      segments,
    });
    before = ended;
    afterFailure = failed && entry.from === entry.to;
  }
  if (!instance.ended) {
    const kind = instance.status === "executing" ? "open" : instance.why.kind === "backingOff" ? "backOff" : "wait";
    rows.push({
      key: "now",
      seq: null,
      label: instance.state,
      detail: instance.why.sentence,
      segments: [{ kind, from: before, to: Math.max(before, now) }],
    });
  }
  return rows;
}

/** Returns the total length of the segments of some kinds, in milliseconds; null if there are none. */
export function lengthOf(segments: readonly Segment[], kinds: readonly SegmentKind[]): number | null {
  const some = segments.filter(({ kind }) => kinds.includes(kind));
  return some.length ? some.reduce((sum, { from, to }) => sum + to - from, 0) : null;
}

export interface Scale {
  /** Position of a moment as a fraction of the width, 0 to 1. */
  at: (moment: number) => number;
  /** Idle periods that are drawn shortened. */
  folds: { from: number; to: number; at: number }[];
}

/** Upper limit of the marks of shortened periods; more would look like hatching. */
const mostFolds = 12;

/**
 * Returns the scale of time along the width. A workflow works for milliseconds and waits for days, so idle periods
 * that are much longer than all work together are shortened: their drawn length grows logarithmically.
 */
export function scaleOf(rows: readonly Row[]): Scale {
  const busy = rows
    .flatMap(({ segments }) => segments)
    .filter(({ kind }) => kind === "run" || kind === "failed" || kind === "open")
    .toSorted((one, other) => one.from - other.from);
  const first = rows[0]?.segments[0]?.from ?? 0;
  const last = rows.at(-1)?.segments.at(-1)?.to ?? 0;
  const worked = busy.reduce((sum, { from, to }) => sum + (to - from), 0);
  const limit = Math.max(1, worked / Math.max(4, rows.length));
  const points: { moment: number; drawn: number }[] = [{ moment: first, drawn: 0 }];
  const folds: Scale["folds"] = [];
  let moment = first;
  let drawn = 0;
  const advance = (to: number, idle: boolean) => {
    if (to <= moment) return;
    const length = to - moment;
    const folded = idle && length > limit ? limit * (1 + Math.log2(length / limit) / 4) : length;
    if (folded < length / 3) folds.push({ from: moment, to, at: drawn + folded / 2 });
    drawn += folded;
    moment = to;
    points.push({ moment, drawn });
  };
  for (const { from, to } of busy) {
    advance(from, true);
    advance(to, false);
  }
  advance(last, true);
  const total = drawn || 1;
  const at = (wanted: number) => {
    let after = 0; // the first point that is not before; binary search, since there may be thousands
    for (let end = points.length; after < end; ) {
      const middle = (after + end) >> 1;
      if (points[middle]!.moment < wanted) after = middle + 1;
      else end = middle;
    }
    const low = points[after - 1];
    const high = points[after];
    if (!low || !high) return low ? 1 : 0;
    const part = (wanted - low.moment) / (high.moment - low.moment || 1);
    return (low.drawn + part * (high.drawn - low.drawn)) / total;
  };
  const longest = folds.toSorted((one, other) => other.to - other.from - (one.to - one.from)).slice(0, mostFolds);
  return { at, folds: longest.map((fold) => ({ ...fold, at: fold.at / total })) };
}
