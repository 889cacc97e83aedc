import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { Button } from "../../components/Button";
import { Dialog } from "../../components/Dialog";
import { fireWords, triggerText } from "../../components/fires";
import { countText } from "../../components/number";
import { SequenceLink } from "../../components/SequenceLink";
import { longDay } from "./days";
import { OutcomeIcon } from "./Mark";
import { keyOf, slotTime, type DayPlan } from "./plan";

/** Upper limit of the sequences named beside a holiday. */
const most = 12;

/** The notes on a day: clock changes and closed periods. */
export function DayNotes({ plan: { changes, closed } }: { plan: DayPlan }) {
  if (!changes.length && !closed.length) return null;
  return (
    <ul className="day-notes">
      {changes.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
      {closed.map(({ name, from, sequences }) => (
        <li key={`${name} ${from}`}>
          <b>{name}</b>
          {sequences.length > 0 && (
            <>
              {": "}
              {sequences.slice(0, most).map((sequenceId, index) => (
                <span key={sequenceId}>
                  {index > 0 && ", "}
                  <SequenceLink sequenceId={sequenceId} />
                </span>
              ))}
              {sequences.length > most && ` and ${sequences.length - most} more`}
            </>
          )}
        </li>
      ))}
    </ul>
  );
}

/** The fires of a day one by one, at first at most `most`. */
export function FireList({ plan, zone, most: room }: { plan: DayPlan; zone: string; most: number }) {
  const [all, setAll] = useState(false);
  const shown = all ? plan.fires : plan.fires.slice(0, room);
  const left = plan.fires.length - shown.length;
  return (
    <>
      <ul className="fire-list">
        {shown.map((fire) => {
          const { slot, sequenceId, outcome, count, trigger, reason, executionId } = fire;
          return (
            <li key={keyOf(fire)}>
              <time dateTime={slot} className="number">
                {slotTime(slot, plan, zone)}
              </time>
              <span className="fire-what">
                <OutcomeIcon outcome={outcome} size={13} />
                <SequenceLink sequenceId={sequenceId} />
                {count > 1 && <b>×{countText(count)}</b>}
              </span>
              <span className={`fire-outcome outcome-${outcome}`}>
                {executionId ? (
                  <Link to="/instances/$id" params={{ id: executionId }} preload={false}>
                    {fireWords[outcome].word.toLowerCase()}
                  </Link>
                ) : (
                  fireWords[outcome].word.toLowerCase()
                )}
                {outcome !== "planned" && trigger !== "schedule" && `, ${triggerText(trigger)}`}
              </span>
              {reason && <p className="muted">{reason}</p>}
            </li>
          );
        })}
      </ul>
      {left > 0 && <Button onClick={() => setAll(true)}>Show {countText(left)} more</Button>}
    </>
  );
}

/** A dialog with all fires and notes of one day. */
export function DayDialog({ plan, zone, onClose }: { plan: DayPlan; zone: string; onClose: () => void }) {
  return (
    <Dialog title={longDay(plan.day)} onClose={onClose}>
      <DayNotes plan={plan} />
      {plan.fires.length ? (
        <div className="day-dialog" tabIndex={0} role="region" aria-label="Fires of the day">
          <FireList plan={plan} zone={zone} most={200} />
        </div>
      ) : (
        <p className="muted">No past or planned fires on this day.</p>
      )}
      <p className="faint">Times in {zone}</p>
    </Dialog>
  );
}
