import { useState } from "react";
import { absoluteText, durationText, useNow, useZone, zoneName } from "../../app/time";
import type { HistoryEntry, InstanceDetail } from "../../api/schema";
import { Button } from "../../components/Button";
import { EmptyState } from "../../components/EmptyState";
import { countText } from "../../components/number";
import { lengthOf, rowsOf, scaleOf, type Row, type Segment, type SegmentKind } from "./timeline";

const shown = 200;

const words: Record<SegmentKind, string> = {
  run: "ran",
  failed: "ran and failed",
  action: "operator action or recovery",
  wait: "waited",
  backOff: "backed off",
  open: "runs",
};

function Bar({ segment, left, width }: { segment: Segment; left: number; width: number }) {
  const text = `${words[segment.kind]} ${durationText(segment.to - segment.from)}`;
  return (
    <span
      className={`bar bar-${segment.kind}`}
      style={{ left: `${left * 100}%`, width: `max(3px, ${width * 100}%)` }}
      title={text}
    >
      <span className="sr-only">{text}</span>
    </span>
  );
}

const legend: readonly [SegmentKind, string][] = [
  ["run", "ran"],
  ["failed", "failed"],
  ["wait", "waited"],
  ["backOff", "backed off"],
  ["action", "by an operator or recovery"],
];

/** The total duration of the segments of some kinds; nothing if there are none. */
function Length({ segments, of }: { segments: Row["segments"]; of: readonly SegmentKind[] }) {
  const length = lengthOf(segments, of);
  return <span className="timeline-time">{length !== null && durationText(length)}</span>;
}

/** A timeline with one row for each attempt: waits hatched, back-offs dotted, long idle periods shortened. */
export function Timeline({
  instance,
  entries,
  selected,
  onSelect,
}: {
  instance: InstanceDetail;
  entries: readonly HistoryEntry[];
  selected?: number;
  onSelect: (seq: number) => void;
}) {
  const now = useNow(!instance.ended);
  const [zone] = useZone();
  const [all, setAll] = useState(false);
  const rows = rowsOf(instance, entries, now);
  const visible = all ? rows : rows.slice(-shown);
  if (!rows.length) return <EmptyState title="No history entries yet" />;
  const { at, folds } = scaleOf(visible);
  const begin = visible[0]!.segments[0]!.from;
  const end = visible.at(-1)!.segments.at(-1)!.to;
  return (
    <div className="timeline">
      {visible.length < rows.length && (
        <p>
          The last {shown} of {countText(rows.length)} rows.{" "}
          <Button look="quiet" onClick={() => setAll(true)}>
            Show all
          </Button>
        </p>
      )}
      <div className="timeline-row timeline-head" aria-hidden="true">
        <span>Entry</span>
        <span className="timeline-range">
          <span>{absoluteText(begin, zone)}</span>
          <span className="wide-only">{zoneName(zone)}</span>
          <span>{instance.ended ? absoluteText(end, zone) : "now"}</span>
        </span>
        <span className="timeline-time">Waited</span>
        <span className="timeline-time">Ran</span>
      </div>
      <ol>
        {visible.map(({ key, seq, label, detail, segments }) => (
          <li key={key} className={seq !== null && seq === selected ? "timeline-row row-selected" : "timeline-row"}>
            {seq === null ? (
              <span className="timeline-label">{label}</span>
            ) : (
              <button type="button" className="timeline-label" onClick={() => onSelect(seq)}>
                <span className="faint">{seq}</span> {label}
              </button>
            )}
            <span className="timeline-track" title={detail}>
              {folds.map((fold) => (
                <i key={fold.from} className="fold" style={{ left: `${fold.at * 100}%` }} />
              ))}
              {segments.map((segment) => (
                <Bar
                  key={segment.from + segment.kind}
                  segment={segment}
                  left={at(segment.from)}
                  width={at(segment.to) - at(segment.from)}
                />
              ))}
            </span>
            <Length segments={segments} of={["wait", "backOff"]} />
            <Length segments={segments} of={["run", "failed", "open"]} />
          </li>
        ))}
      </ol>
      <p className="timeline-legend">
        {legend.map(([kind, text]) => (
          <span key={kind}>
            <i className={`bar bar-${kind}`} /> {text}
          </span>
        ))}
        {folds.length > 0 && <span className="faint">Dashed lines: long waits, drawn shortened.</span>}
      </p>
    </div>
  );
}
