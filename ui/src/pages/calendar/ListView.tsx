import { useState } from "react";
import { Button } from "../../components/Button";
import { countText } from "../../components/number";
import { DayNotes, SlotList } from "./SlotList";
import { longDay, type Day } from "./days";
import { MarkChip } from "./Mark";
import { marksOf, slotsOf, type DayPlan } from "./plan";
import type { ViewProps } from "./view";

const room = 8;

/** A list of the days that have slots or notes. Days before today are shown on request. */
export function ListView({ plans, zone, today, onOpen }: Pick<ViewProps, "plans" | "zone" | "today" | "onOpen">) {
  const [earlier, setEarlier] = useState(false);
  const shown = plans.filter((plan) => plan.slots.length || plan.closed.length || plan.changes.length || plan.day === today);
  const past = plans.some(({ day }) => day === today) ? shown.filter(({ day }) => day < today).length : 0;
  return (
    <div className="day-list">
      {past > 0 && (
        <p>
          <Button aria-expanded={earlier} onClick={() => setEarlier(!earlier)}>
            {earlier ? "Hide" : "Show"} {past === 1 ? "the day" : `the ${past} days`} before today
          </Button>
        </p>
      )}
      {shown.slice(earlier ? 0 : past).map((plan) => (
        <DaySection key={plan.day} plan={plan} zone={zone} today={today} onOpen={onOpen} />
      ))}
      {shown.length === 0 && <p className="muted">No past or planned slots in this period.</p>}
    </div>
  );
}

interface SectionProps {
  plan: DayPlan;
  zone: string;
  today: Day;
  onOpen: (day: Day) => void;
}

function DaySection({ plan, zone, today, onOpen }: SectionProps) {
  const { day, slots, closed } = plan;
  return (
    <section aria-labelledby={`day-${day}`} className={closed.length ? "cell-closed" : undefined}>
      <h3 id={`day-${day}`}>
        {longDay(day)} {day === today && <span className="tag">today</span>}
      </h3>
      <DayNotes plan={plan} />
      {slots.length === 0 && <p className="faint">No slots.</p>}
      {slots.length > room ? (
        <>
          <ul className="marks">
            {marksOf(slots, room).map((mark) => (
              <li key={mark.key}>
                <MarkChip mark={mark} plan={plan} zone={zone} reachable onOpen={() => onOpen(day)} />
              </li>
            ))}
          </ul>
          <Button onClick={() => onOpen(day)}>List all {countText(slots.reduce((sum, slot) => sum + slotsOf(slot), 0))}</Button>
        </>
      ) : (
        <SlotList plan={plan} zone={zone} most={room} />
      )}
    </section>
  );
}
