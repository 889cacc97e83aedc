import { Clock } from "lucide-react";
import type { KeyboardEvent, ReactNode } from "react";
import { slotsText } from "../../components/slots";
import { longDay, plusDays, shortDay, type Day } from "./days";
import { closedText, fewOf, type DayPlan } from "./plan";

const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };

interface Props {
  plan: DayPlan;
  chosen: boolean;
  today: boolean;
  onDay: (day: Day) => void;
  onOpen: (day: Day) => void;
  children: ReactNode;
}

/** The name of a day as a button that lists its slots, with notes on the day. Arrow keys move to other days. */
export function DayHead({ plan: { day, slots, closed, changes }, chosen, today, onDay, onOpen, children }: Props) {
  const names = [...new Set(closed.map(({ name }) => name))];
  const shut = fewOf(closed.map(closedText), 6);
  const clocks = fewOf(changes, 6);
  const lines = [
    `${longDay(day)}${today ? ", today" : ""}`,
    slots.length ? slotsText(slots) : "No slots",
    ...clocks,
    ...shut,
  ];
  const onKeyDown = (event: KeyboardEvent) => {
    const step = steps[event.key];
    if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    onDay(plusDays(day, step));
  };
  return (
    <div className="day-head">
      <button
        type="button"
        className={today ? "day-name day-today" : "day-name"}
        data-day={day}
        tabIndex={chosen ? 0 : -1}
        data-hint={lines.join("\n")}
        aria-label={[shortDay(day), ...lines].join(", ")} // starts with the visible text
        aria-current={today ? "date" : undefined}
        onKeyDown={onKeyDown}
        onClick={() => onOpen(day)}
      >
        {children}
      </button>
      {changes.length > 0 && (
        <span className="day-note day-change" aria-hidden="true" data-hint={clocks.join("\n")}>
          <Clock size={12} />
          <span>{changes[0]}</span>
        </span>
      )}
      {closed.length > 0 && (
        <span className="day-note" aria-hidden="true" data-hint={shut.join("\n")}>
          <span>{names.join(", ")}</span>
        </span>
      )}
    </div>
  );
}
