import { Info, TriangleAlert } from "lucide-react";
import type { ScheduleExplanation, Slot } from "../../api/schema";
import { useZone, zoneName } from "../../app/time";
import { ScheduleWords } from "../../components/ScheduleWords";
import { Table, type Column } from "../../components/Table";
import { RelativeTime } from "../../components/Time";
import { isZone, zonedText } from "../../components/zoned";
import "./explained.css";

/** Returns a zone that may wrap after a slash. */
const breakable = (zone: string) => zone.replaceAll("/", "/\u200b");

/** Formats a window as two times; with seconds if it is shorter than a minute. */
function windowText({ from, to }: Slot, zone: string): string {
  const seconds = Date.parse(to) - Date.parse(from) < 60_000;
  return [from, to].map((at) => zonedText(at, zone, { weekday: false, seconds })).join(" to ");
}

/** Returns the columns; compact ones show the window only on hover. */
function columnsIn(zone: string, viewers: string, compact: boolean, rests: boolean): Column<Slot>[] {
  const window = ({ from, to }: Slot) => `Report window: ${zonedText(from, zone)} to ${zonedText(to, zone)}`;
  const own: Column<Slot> = {
    id: "own",
    head: breakable(zone),
    grow: compact,
    cell: (slot) => (
      <span className="slot" title={window(slot)}>
        <span className="time">{zonedText(slot.at, zone)}</span>
        {!compact && (
          <span className="faint time">{windowText(slot, zone)}</span>
        )}
        {compact && slot.excluded && <Excluded by={slot.excluded} />}
      </span>
    ),
  };
  const viewer: Column<Slot> = {
    id: "viewer",
    head: `${breakable(viewers)} (yours)`,
    cell: ({ at }) => <span className="time">{zonedText(at, viewers)}</span>,
  };
  const until: Column<Slot> = {
    id: "in",
    head: <span className="sr-only">In</span>,
    grow: true,
    cell: ({ at, excluded }) =>
      excluded ? (
        <Excluded by={excluded} />
      ) : (
        <span className="muted">{rests ? "would be due" : <RelativeTime at={at} />}</span>
      ),
  };
  return [own, ...(zone === viewers ? [] : [viewer]), ...(compact ? [] : [until])];
}

function Excluded({ by }: { by: string }) {
  return <span className="slot-excluded">excluded: {by}</span>;
}

/** The explanation of a schedule: a sentence, its next slots in both zones, warnings and notes. */
export function Explained({ explanation, zone, compact = false, rests = null }: {
  explanation: ScheduleExplanation;
  zone: string;
  compact?: boolean;
  /** Reason why the schedule does not run; null if it does. */
  rests?: string | null;
}) {
  const [choice] = useZone();
  const { words, next, warnings, notes } = explanation;
  return (
    <div className="explained">
      <p>
        <strong>
          <ScheduleWords words={words} />
        </strong>
      </p>
      {warnings.map((warning) => (
        <p key={warning} className="explained-line explained-warning">
          <TriangleAlert size={14} aria-label="Warning" /> <span>{warning}</span>
        </p>
      ))}
      {rests && next.length > 0 && (
        <p className="explained-line muted">
          <Info size={14} aria-label="Note" /> <span>The schedule does not run ({rests}), so it does not fire at these times.</span>
        </p>
      )}
      {next.length > 0 && !isZone(zone) && (
        <p className="explained-line muted">
          <Info size={14} aria-label="Note" /> <span>This browser does not know the zone {zone}. The times are in UTC.</span>
        </p>
      )}
      {next.length ? (
        <Table label="Next slots" columns={columnsIn(isZone(zone) ? zone : "UTC", zoneName(choice), compact, rests !== null)} rows={next} rowKey={({ at }) => at} />
      ) : (
        <p className="muted">The schedule has no further slots.</p>
      )}
      {notes.map((note) => (
        <p key={note} className="explained-line muted">
          <Info size={14} aria-label="Note" /> <span>{note}</span>
        </p>
      ))}
    </div>
  );
}
