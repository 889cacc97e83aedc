import {
  CircleCheck,
  CirclePause,
  CirclePlay,
  CircleX,
  Ban,
  HeartPulse,
  MoveRight,
  PenLine,
  RotateCcw,
  Unplug,
  Zap,
  type LucideIcon,
} from "lucide-react";
import { memo, useEffect, useRef, useState } from "react";
import { durationText } from "../../app/time";
import type { HistoryEntry } from "../../api/schema";
import { CopyButton } from "../../components/CopyButton";
import { EmptyState } from "../../components/EmptyState";
import { countText } from "../../components/number";
import { shortReason } from "../../components/reason";
import { AbsoluteTime } from "../../components/Time";
import { Changes } from "./Changes";
import { Earlier } from "./Earlier";
import { More } from "./More";
import type { useHistory } from "./useHistory";

const kinds: Record<HistoryEntry["type"], { icon: LucideIcon; word: string; look: string }> = {
  stateExecution: { icon: CircleCheck, word: "Executed", look: "status-finished" },
  stateExecutionFailed: { icon: CircleX, word: "Failed", look: "status-failed" },
  abandoned: { icon: Unplug, word: "Abandoned", look: "status-paused" },
  recovery: { icon: HeartPulse, word: "Recovered", look: "status-manual" },
  cancel: { icon: Ban, word: "Cancelled", look: "status-cancelled" },
  pause: { icon: CirclePause, word: "Paused", look: "status-paused" },
  resume: { icon: CirclePlay, word: "Resumed", look: "status-inProgress" },
  retry: { icon: RotateCcw, word: "Retried", look: "status-inProgress" },
  move: { icon: MoveRight, word: "Moved", look: "status-manual" },
  wake: { icon: Zap, word: "Woken", look: "status-inProgress" },
  editVariables: { icon: PenLine, word: "Variables edited", look: "status-manual" },
};

const Entry = memo(function Entry({ entry, selected }: { entry: HistoryEntry; selected: boolean }) {
  const row = useRef<HTMLLIElement>(null);
  const { icon: Icon, word, look } = kinds[entry.type];
  useEffect(() => {
    if (selected) row.current?.scrollIntoView({ block: "center" });
  }, [selected]);
  return (
    <li ref={row} className={selected ? "history-entry row-selected" : "history-entry"} data-seq={entry.seq}>
      <span className="history-seq number">{entry.seq}</span>
      <Icon size={15} className={`status-icon ${look}`} aria-hidden="true" />
      <div className="history-main">
        <p>
          <strong>{word}</strong>{" "}
          <span className="mono">
            {entry.from}
            {entry.from !== entry.to && (
              <>
                {" "}
                <span aria-hidden="true">→</span>
                <span className="sr-only">to</span> {entry.to}
              </>
            )}
          </span>{" "}
          {entry.attempt > 1 && <span className="tag warn">attempt {entry.attempt}</span>}
        </p>
        {entry.reason && (
          <p className="history-reason" title={entry.reason}>
            {shortReason(entry.reason)}
          </p>
        )}
        {entry.error && (
          <details className="trace">
            <summary>{entry.reason ? "Stack trace" : entry.error.split("\n", 1)[0]}</summary>
            <div className="json">
              <pre tabIndex={0}>{entry.error}</pre>
              <CopyButton text={entry.error} label="Copy the stack trace" />
            </div>
          </details>
        )}
        {entry.signals && entry.signals.length > 0 && (
          <p className="faint">Signals consumed: {entry.signals.join(", ")}</p>
        )}
        {entry.changes && entry.changes.length > 0 && (
          <details className="trace">
            <summary>
              {entry.changes.length} {entry.changes.length === 1 ? "variable" : "variables"} changed:{" "}
              {entry.changes.map(({ name }) => name).join(", ")}
            </summary>
            <Changes changes={entry.changes} />
          </details>
        )}
      </div>
      <span className="history-side">
        <AbsoluteTime at={entry.ended} />
        <span className="faint">
          {entry.actor
            ? `by ${entry.actor}`
            : `${durationText(Date.parse(entry.ended) - Date.parse(entry.started))}${
                entry.executorId ? ` on executor ${entry.executorId}` : ""
              }`}
        </span>
      </span>
    </li>
  );
});

/** Number of entries drawn at first, and added each time; thousands would make each change slow. */
const batch = 200;

/** The history, newest first. With a state selected in the graph, only its entries are shown. */
export function HistoryTab({
  history,
  selected,
  state,
}: {
  history: ReturnType<typeof useHistory>;
  selected?: number;
  state?: string;
}) {
  const [most, setMost] = useState(batch);
  const entries = history.entries.filter(({ from, to }) => !state || from === state || to === state).reverse();
  const wanted = selected === undefined ? -1 : entries.findIndex(({ seq }) => seq === selected);
  const shown = entries.slice(0, Math.max(most, wanted + 1));
  if (!entries.length && !history.query.isPending) {
    return (
      <EmptyState title={state ? `No history entries in ${state}` : "No history entries yet"}>
        Executors record an entry for each attempt, and for each operator action.
      </EmptyState>
    );
  }
  return (
    <>
      <ol className="history" aria-label="History">
        {shown.map((entry) => (
          <Entry key={entry.seq} entry={entry} selected={entry.seq === selected} />
        ))}
      </ol>
      {shown.length < entries.length ? (
        <More
          words={`Show ${countText(Math.min(batch, entries.length - shown.length))} more`}
          onMore={() => setMost(shown.length + batch)}
        />
      ) : (
        <Earlier history={history} />
      )}
    </>
  );
}
