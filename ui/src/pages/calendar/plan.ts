import type { Calendar, SequenceSlot } from "../../api/schema";
import type { SlotOutcome } from "../../components/slots";
import { plusDays, startOf, timeOf, wallOf, type Day } from "./days";

type Closed = Calendar["closed"][number];

/** One day as shown in a zone; `end` is the start of the next day. */
export interface DayPlan {
  day: Day;
  begin: number;
  end: number;
  /** Slots of the day, earliest first. */
  slots: SequenceSlot[];
  closed: Closed[];
  /** Sentences about clock changes. */
  changes: string[];
}

/** Returns the days in a zone, with their slots and notes. A slot belongs to the day of its planned time. */
export function planOf(days: readonly Day[], calendar: Calendar, zone: string): DayPlan[] {
  const bySlot = calendar.slots
    .map((slot) => ({ slot, at: Date.parse(slot.at) }))
    .sort((one, other) => one.at - other.at);
  let next = 0;
  return days.map((day) => {
    const begin = startOf(day, zone);
    const end = startOf(plusDays(day, 1), zone);
    const within = (at: string) => Date.parse(at) >= begin && Date.parse(at) < end;
    while (next < bySlot.length && bySlot[next]!.at < begin) next += 1;
    const first = next;
    while (next < bySlot.length && bySlot[next]!.at < end) next += 1;
    const changes = calendar.clockChanges.filter(({ at }) => within(at));
    return {
      day,
      begin,
      end,
      slots: bySlot.slice(first, next).map(({ slot }) => slot),
      closed: calendar.closed.filter(({ from, to }) => Date.parse(from) < end && Date.parse(to) > begin),
      changes: [
        ...changes.map((change) => `${change.zone}: ${change.sentence}`),
        ...(changes.some((change) => change.zone === zone) ? [] : ownChange(begin, end, zone)),
      ],
    };
  });
}

/**
 * Returns a sentence about a clock change in the viewer's zone, which the server omits if no sequence uses the
 * zone.
 */
function ownChange(begin: number, end: number, zone: string): string[] {
  const hours = (end - begin) / 3_600_000;
  return hours === 24 ? [] : [`${zone}: The clocks change; this day has ${hours} hours.`];
}

/** Returns at most `most` texts, the last with the number of the others: ["a", "b", "3 more"]. */
export function fewOf(all: readonly string[], most: number): string[] {
  return all.length <= most ? [...all] : [...all.slice(0, most - 1), `${all.length - most + 1} more`];
}

/** Formats a closed period in one line: "Christmas: sales, report". */
export function closedText({ name, sequences }: Closed): string {
  return sequences.length ? `${name}: ${fewOf(sequences, 6).join(", ")}` : name;
}

/** Returns the number of slots for which one entry stands. */
export const slotsOf = ({ count }: Pick<SequenceSlot, "count">) => Math.max(1, count);

/** Returns a key that is unique among slots: one that runs manually or again has several entries. */
export const keyOf = ({ sequenceId, at, executionId, recorded }: SequenceSlot) => `${at} ${sequenceId} ${executionId ?? recorded ?? ""}`;

/** A mark in the calendar: for one slot, for several of one sequence, or for all with the same outcome. */
export interface Mark {
  key: string;
  outcome: SlotOutcome;
  count: number;
  slot?: SequenceSlot;
  sequenceId?: string;
}

function grouped(slots: readonly SequenceSlot[], bySequence: boolean): Mark[] {
  const marks = new Map<string, Mark>();
  for (const slot of slots) {
    const { sequenceId, outcome } = slot;
    const key = bySequence ? `${outcome} ${sequenceId}` : outcome;
    const mark = marks.get(key);
    if (mark) {
      mark.count += slotsOf(slot);
      delete mark.slot;
    } else {
      marks.set(key, { key, outcome, count: slotsOf(slot), slot, ...(bySequence ? { sequenceId } : {}) });
    }
  }
  return [...marks.values()];
}

/** Returns at most `room` marks, or one for each outcome if there are more. */
export function marksOf(slots: readonly SequenceSlot[], room: number): Mark[] {
  if (slots.length <= room) {
    return slots.map((slot) => {
      const { sequenceId, outcome } = slot;
      return { key: keyOf(slot), outcome, count: slotsOf(slot), slot, sequenceId };
    });
  }
  const bySequence = grouped(slots, true);
  return bySequence.length <= room ? bySequence : grouped(slots, false);
}

/** Counts slots by outcome, in a fixed order. */
export function tallyOf(slots: readonly SequenceSlot[]): { outcome: SlotOutcome; count: number }[] {
  const order: SlotOutcome[] = ["completed", "running", "planned", "aborted", "missed", "skipped", "excluded"];
  const counts = new Map<SlotOutcome, number>();
  for (const slot of slots) counts.set(slot.outcome, (counts.get(slot.outcome) ?? 0) + slotsOf(slot));
  return order.flatMap((outcome) => ({ outcome, count: counts.get(outcome) ?? 0 })).filter(({ count }) => count > 0);
}

/** One hour of local time; `times` is 0 for an hour that clocks skip and 2 for an hour that occurs twice. */
export interface HourPlan {
  hour: number;
  times: 0 | 1 | 2;
  slots: SequenceSlot[];
  closed: boolean;
}

const quarter = 900_000;

/** Returns the hours of local time of a day. */
export function hoursOf({ begin, end, slots, closed }: DayPlan, zone: string): HourPlan[] {
  const quarters = new Array<number>(24).fill(end - begin === 24 * 4 * quarter ? 4 : 0);
  if (end - begin !== 24 * 4 * quarter) {
    for (let at = begin; at < end; at += quarter) quarters[hourOf(at, zone)]! += 1;
  }
  const hours: HourPlan[] = quarters.map((count, hour) => ({
    hour,
    times: count === 0 ? 0 : count > 4 ? 2 : 1,
    slots: [],
    closed: false,
  }));
  for (const slot of slots) hours[hourOf(Date.parse(slot.at), zone)]!.slots.push(slot);
  if (closed.length) {
    for (let at = begin; at < end; at += 2 * quarter) {
      const shut = closed.some(({ from, to }) => Date.parse(from) < at + 2 * quarter && Date.parse(to) > at);
      if (shut) hours[hourOf(at, zone)]!.closed = true;
    }
  }
  return hours;
}

const hourOf = (at: number, zone: string) => new Date(wallOf(at, zone)).getUTCHours();

/** Returns the time of day of a slot; the second of two equal local times is marked. */
export function slotTime(planned: string, { begin, end }: Pick<DayPlan, "begin" | "end">, zone: string): string {
  const at = Date.parse(planned);
  const text = timeOf(at, zone);
  const longer = end - begin - 24 * 4 * quarter;
  const again = longer > 0 && at - longer >= begin && timeOf(at - longer, zone) === text;
  return again ? `${text} (2nd)` : text;
}
