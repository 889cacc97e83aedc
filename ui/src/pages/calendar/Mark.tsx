import { Link, type LinkProps } from "@tanstack/react-router";
import { Ban, Circle, CircleAlert, CircleCheck, CircleSlash, CircleX, LoaderCircle, type LucideIcon } from "lucide-react";
import type { SequenceSlot } from "../../api/schema";
import { slotTitle, outcomeWords, type SlotOutcome } from "../../components/slots";
import { countText } from "../../components/number";
import { zonedText } from "../../components/zoned";
import { slotTime, type DayPlan, type Mark } from "./plan";

const icons: Record<SlotOutcome, LucideIcon> = {
  completed: CircleCheck,
  running: LoaderCircle,
  aborted: CircleX,
  skipped: CircleSlash,
  missed: CircleAlert,
  planned: Circle,
  excluded: Ban,
};

export function OutcomeIcon({ outcome, size = 12 }: { outcome: SlotOutcome; size?: number }) {
  const Icon = icons[outcome];
  return <Icon className={`outcome outcome-${outcome}`} size={size} aria-hidden="true" />;
}

/** Returns a link to the execution of a slot, or to its sequence if it has none. */
export function slotTarget({ executionId, sequenceId }: SequenceSlot): LinkProps {
  return executionId
    ? { to: "/instances/$id", params: { id: executionId } }
    : { to: "/sequences/$sequenceId", params: { sequenceId } };
}

interface Props {
  mark: Mark;
  plan: DayPlan;
  zone: string;
  /** True if the mark is in the tab order. */
  reachable: boolean;
  onOpen: () => void;
}

/** One slot as a link to its execution or sequence, or several as a button that lists them. */
export function MarkChip({ mark: { slot, sequenceId, outcome, count }, plan, zone, reachable, onOpen }: Props) {
  const { word, meaning } = outcomeWords[outcome];
  const tabIndex = reachable ? 0 : -1;
  if (slot) {
    const time = slotTime(slot.at, plan, zone);
    const times = count > 1 ? ` ×${countText(count)}` : "";
    const hint = `${slot.sequenceId}\n${slotTitle(slot, (at) => zonedText(at, zone))}`;
    return (
      <Link
        {...slotTarget(slot)}
        className="mark-chip"
        tabIndex={tabIndex}
        preload={false}
        data-hint={hint}
        aria-label={`${time} ${slot.sequenceId}${times}, ${hint.split("\n").slice(1).join(", ")}`}
      >
        <OutcomeIcon outcome={outcome} />
        <span className="mark-time">{time}</span> <span className="mark-name">{slot.sequenceId}</span>
        {times && <b>{times}</b>}
      </Link>
    );
  }
  return (
    <button
      type="button"
      className="mark-chip"
      tabIndex={tabIndex}
      data-hint={`${sequenceId ? `${sequenceId}\n` : ""}${countText(count)} ${word.toLowerCase()}: ${meaning}\nClick for the list.`}
      aria-label={
        sequenceId
          ? `${sequenceId} ×${countText(count)}, ${word.toLowerCase()}, list them`
          : `${countText(count)} ${word.toLowerCase()}, list them`
      }
      onClick={onOpen}
    >
      <OutcomeIcon outcome={outcome} />
      {sequenceId ? (
        <>
          <span className="mark-name">{sequenceId}</span> <b>×{countText(count)}</b>
        </>
      ) : (
        <>
          <b>{countText(count)}</b> <span className="mark-name">{word.toLowerCase()}</span>
        </>
      )}
    </button>
  );
}
