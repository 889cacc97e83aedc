import { useState } from "react";
import { durationText, useNow } from "../../app/time";
import type { Action, InstanceDetail } from "../../api/schema";
import { Button } from "../../components/Button";
import { EmptyState } from "../../components/EmptyState";
import { rowsOf, scaleOf, type Segment, type SegmentKind } from "./timeline";

const shown = 200;

const words: Record<SegmentKind, string> = {
  run: "ran",
  failed: "ran and failed",
  deed: "done from outside",
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

/** One row for every attempt: waits hatched, back-offs dotted, long idle stretches folded. */
export function Timeline({
  instance,
  actions,
  selected,
  onSelect,
}: {
  instance: InstanceDetail;
  actions: readonly Action[];
  selected?: number;
  onSelect: (seq: number) => void;
}) {
  const now = useNow();
  const [all, setAll] = useState(false);
  const rows = rowsOf(instance, actions, now);
  const visible = all ? rows : rows.slice(-shown);
  if (!rows.length) return <EmptyState title="Nothing has happened yet" />;
  const { at, folds } = scaleOf(visible);
  return (
    <div className="timeline">
      {visible.length < rows.length && (
        <p>
          The last {shown} of {rows.length} rows.{" "}
          <Button look="quiet" onClick={() => setAll(true)}>
            Show all
          </Button>
        </p>
      )}
      <ol>
        {visible.map(({ key, seq, label, detail, segments }) => (
          <li key={key} className={seq !== null && seq === selected ? "row-selected" : undefined}>
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
            <span className="timeline-time">
              {durationText(segments.at(-1)!.to - segments.at(-1)!.from)}
            </span>
          </li>
        ))}
      </ol>
      <p className="timeline-legend">
        <span className="bar bar-run" /> ran <span className="bar bar-failed" /> failed{" "}
        <span className="bar bar-wait" /> waited <span className="bar bar-backOff" /> backed off{" "}
        <span className="bar bar-deed" /> by an operator or recovery
        {folds.length > 0 && <span className="faint">Long waits are drawn shorter than they are.</span>}
      </p>
    </div>
  );
}
