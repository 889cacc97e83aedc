import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { Button } from "../../components/Button";
import { Dialog } from "../../components/Dialog";
import { outcomeWords, causeText } from "../../components/slots";
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

/** The slots of a day one by one, at first at most `most`. */
export function SlotList({ plan, zone, most: room }: { plan: DayPlan; zone: string; most: number }) {
  const [all, setAll] = useState(false);
  const shown = all ? plan.slots : plan.slots.slice(0, room);
  const left = plan.slots.length - shown.length;
  return (
    <>
      <ul className="slot-list">
        {shown.map((slot) => {
          const { at, sequenceId, outcome, count, cause, reason, executionId } = slot;
          return (
            <li key={keyOf(slot)}>
              <time dateTime={at} className="number">
                {slotTime(at, plan, zone)}
              </time>
              <span className="slot-what">
                <OutcomeIcon outcome={outcome} size={13} />
                <SequenceLink sequenceId={sequenceId} />
                {count > 1 && <b>×{countText(count)}</b>}
              </span>
              <span className={`slot-outcome outcome-${outcome}`}>
                {executionId ? (
                  <Link to="/instances/$id" params={{ id: executionId }} preload={false}>
                    {outcomeWords[outcome].word.toLowerCase()}
                  </Link>
                ) : (
                  outcomeWords[outcome].word.toLowerCase()
                )}
                {outcome !== "planned" && cause !== "schedule" && `, ${causeText(cause)}`}
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

/** A dialog with all slots and notes of one day. */
export function DayDialog({ plan, zone, onClose }: { plan: DayPlan; zone: string; onClose: () => void }) {
  return (
    <Dialog title={longDay(plan.day)} onClose={onClose}>
      <DayNotes plan={plan} />
      {plan.slots.length ? (
        <div className="day-dialog" tabIndex={0} role="region" aria-label="Slots of the day">
          <SlotList plan={plan} zone={zone} most={200} />
        </div>
      ) : (
        <p className="muted">No past or planned slots on this day.</p>
      )}
      <p className="faint">Times in {zone}</p>
    </Dialog>
  );
}
