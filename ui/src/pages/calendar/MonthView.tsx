import { longDay, shortDay, type Day } from "./days";
import { DayHead } from "./DayHead";
import { MarkChip } from "./Mark";
import { marksOf, type DayPlan } from "./plan";
import type { ViewProps } from "./view";

const room = 4;

/** The weeks of a month; each day shows its slots, or their counts if there are many. */
export function MonthView({ plans, zone, day, today, onDay, onOpen }: ViewProps) {
  const weeks = Array.from({ length: plans.length / 7 }, (_, week) => plans.slice(week * 7, week * 7 + 7));
  return (
    <table className="month">
      <caption className="sr-only">Slots of the month by day</caption>
      <thead>
        <tr>
          {weeks[0]?.map((plan) => (
            <th key={plan.day} scope="col">
              {shortDay(plan.day).slice(0, 3)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week) => (
          <tr key={week[0]?.day}>
            {week.map((plan) => (
              <td key={plan.day} className={cellClass(plan, day, today)}>
                <DayHead plan={plan} chosen={plan.day === day} today={plan.day === today} onDay={onDay} onOpen={onOpen}>
                  {Number(plan.day.slice(8))}
                </DayHead>
                <ul className="marks" aria-label={`Slots of ${longDay(plan.day)}`}>
                  {marksOf(plan.slots, room).map((mark) => (
                    <li key={mark.key}>
                      <MarkChip
                        mark={mark}
                        plan={plan}
                        zone={zone}
                        reachable={plan.day === day}
                        onOpen={() => onOpen(plan.day)}
                      />
                    </li>
                  ))}
                </ul>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function cellClass(plan: DayPlan, day: Day, today: Day): string {
  const other = plan.day.slice(0, 7) !== day.slice(0, 7);
  return ["cell", other && "cell-other", plan.closed.length > 0 && "cell-closed", plan.day === today && "cell-today"]
    .filter(Boolean)
    .join(" ");
}
