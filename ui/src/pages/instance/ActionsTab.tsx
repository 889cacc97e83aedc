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
import type { Action } from "../../api/schema";
import { CopyButton } from "../../components/CopyButton";
import { EmptyState } from "../../components/EmptyState";
import { countText } from "../../components/number";
import { shortReason } from "../../components/reason";
import { AbsoluteTime } from "../../components/Time";
import { Changes } from "./Changes";
import { Earlier } from "./Earlier";
import { More } from "./More";
import type { useHistory } from "./useHistory";

const kinds: Record<Action["type"], { icon: LucideIcon; word: string; look: string }> = {
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

const Entry = memo(function Entry({ action, selected }: { action: Action; selected: boolean }) {
  const row = useRef<HTMLLIElement>(null);
  const { icon: Icon, word, look } = kinds[action.type];
  useEffect(() => {
    if (selected) row.current?.scrollIntoView({ block: "center" });
  }, [selected]);
  return (
    <li ref={row} className={selected ? "action row-selected" : "action"} data-seq={action.seq}>
      <span className="action-seq number">{action.seq}</span>
      <Icon size={15} className={`status-icon ${look}`} aria-hidden="true" />
      <div className="action-main">
        <p>
          <strong>{word}</strong>{" "}
          <span className="mono">
            {action.from}
            {action.from !== action.to && (
              <>
                {" "}
                <span aria-hidden="true">→</span>
                <span className="sr-only">to</span> {action.to}
              </>
            )}
          </span>{" "}
          {action.attempt > 1 && <span className="tag warn">attempt {action.attempt}</span>}
        </p>
        {action.reason && (
          <p className="action-reason" title={action.reason}>
            {shortReason(action.reason)}
          </p>
        )}
        {action.error && (
          <details className="trace">
            <summary>{action.reason ? "Stack trace" : action.error.split("\n", 1)[0]}</summary>
            <div className="json">
              <pre tabIndex={0}>{action.error}</pre>
              <CopyButton text={action.error} label="Copy the stack trace" />
            </div>
          </details>
        )}
        {action.signals && action.signals.length > 0 && (
          <p className="faint">Signals consumed: {action.signals.join(", ")}</p>
        )}
        {action.changes && action.changes.length > 0 && (
          <details className="trace">
            <summary>
              {action.changes.length} {action.changes.length === 1 ? "variable" : "variables"} changed:{" "}
              {action.changes.map(({ name }) => name).join(", ")}
            </summary>
            <Changes changes={action.changes} />
          </details>
        )}
      </div>
      <span className="action-side">
        <AbsoluteTime at={action.ended} />
        <span className="faint">
          {action.actor
            ? `by ${action.actor}`
            : `${durationText(Date.parse(action.ended) - Date.parse(action.started))}${
                action.executorId ? ` on executor ${action.executorId}` : ""
              }`}
        </span>
      </span>
    </li>
  );
});

/** Number of entries drawn at first, and added each time; thousands would make each change slow. */
const batch = 200;

/** The history, newest first. With a state selected in the graph, only its entries are shown. */
export function ActionsTab({
  history,
  selected,
  state,
}: {
  history: ReturnType<typeof useHistory>;
  selected?: number;
  state?: string;
}) {
  const [most, setMost] = useState(batch);
  const actions = history.actions.filter(({ from, to }) => !state || from === state || to === state).reverse();
  const wanted = selected === undefined ? -1 : actions.findIndex(({ seq }) => seq === selected);
  const shown = actions.slice(0, Math.max(most, wanted + 1));
  if (!actions.length && !history.query.isPending) {
    return (
      <EmptyState title={state ? `No history entries in ${state}` : "No history entries yet"}>
        Executors record an entry for each attempt, and for each operator action.
      </EmptyState>
    );
  }
  return (
    <>
      <ol className="actions" aria-label="History">
        {shown.map((action) => (
          <Entry key={action.seq} action={action} selected={action.seq === selected} />
        ))}
      </ol>
      {shown.length < actions.length ? (
        <More
          words={`Show ${countText(Math.min(batch, actions.length - shown.length))} more`}
          onMore={() => setMost(shown.length + batch)}
        />
      ) : (
        <Earlier history={history} />
      )}
    </>
  );
}
