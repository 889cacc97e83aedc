import { useMemo } from "react";
import { longDay, shortDay, wallOf } from "./days";
import { DayHead } from "./DayHead";
import { MarkChip } from "./Mark";
import { hoursOf, marksOf, type HourPlan } from "./plan";
import type { ViewProps } from "./view";

/** Upper limit of the marks in an hour; an hour that occurs twice has room for twice as many. */
const room = 3;
const pad = (hour: number) => `${String(hour).padStart(2, "0")}:00`;

/** The hours of seven days. Hours without slots have a low row. */
export function WeekView({ plans, zone, day, today, now, onDay, onOpen }: ViewProps) {
  const columns = useMemo(() => plans.map((plan) => ({ plan, hours: hoursOf(plan, zone) })), [plans, zone]);
  const wall = new Date(wallOf(now, zone));
  return (
    <table className="week">
      <caption className="sr-only">Slots of the week by hour</caption>
      <thead>
        <tr>
          <th scope="col">
            <span className="sr-only">Hour</span>
          </th>
          {plans.map((plan) => (
            <th key={plan.day} scope="col" className={plan.closed.length ? "cell-closed" : undefined}>
              <DayHead plan={plan} chosen={plan.day === day} today={plan.day === today} onDay={onDay} onOpen={onOpen}>
                {shortDay(plan.day)}
              </DayHead>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {Array.from({ length: 24 }, (_, hour) => (
          <tr key={hour}>
            <th scope="row">{pad(hour)}</th>
            {columns.map(({ plan, hours }) => {
              const cell = hours[hour] as HourPlan;
              const current = plan.day === today && wall.getUTCHours() === hour;
              return (
                <td key={plan.day} className={cellClass(cell, plan.day === today)}>
                  {current && <NowLine minute={wall.getUTCMinutes()} />}
                  {cell.times === 0 && <span className="no-hour">skipped</span>}
                  {cell.times === 2 && <span className="no-hour">occurs twice</span>}
                  {cell.slots.length > 0 && (
                    <ul className="marks" aria-label={`${longDay(plan.day)}, ${pad(hour)}`}>
                      {marksOf(cell.slots, room * Math.max(1, cell.times)).map((mark) => (
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
                  )}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function cellClass({ closed, times }: HourPlan, today: boolean): string {
  return ["cell", closed && "cell-closed", times === 0 && "cell-none", today && "cell-today"].filter(Boolean).join(" ");
}

function NowLine({ minute }: { minute: number }) {
  return (
    <span className="now-line" style={{ top: `${(minute / 60) * 100}%` }}>
      <span className="sr-only">Now</span>
    </span>
  );
}
