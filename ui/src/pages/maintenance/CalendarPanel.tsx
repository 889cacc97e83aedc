import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CalendarPlus, ChevronLeft, ChevronRight, RefreshCw, Wrench } from "lucide-react";
import { useState } from "react";
import { baseUrl } from "../../api/client";
import { rolloutQueries } from "../../api/rollouts";
import type { Maintenance } from "../../api/schema";
import { useNow, useZone, zoneName } from "../../app/time";
import { Button } from "../../components/Button";
import { Panel } from "../../components/Page";
import { dayOf, longDay, monthText, plusDays, plusMonths, startOf, timeOf, weeksOfMonth, type Day } from "../calendar/days";
import { entriesOf, maintenanceEntries, recycleEntries, type Entry } from "./entries";
import { stageTexts } from "./plan";

const weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

/** A calendar of the maintenances of a month, and of the windows in which nodes recycle automatically. */
export function CalendarPanel({ maintenances }: { maintenances: readonly Maintenance[] }) {
  const zone = zoneName(useZone()[0]);
  const now = useNow();
  const today = dayOf(now, zone);
  const policy = useQuery(rolloutQueries.policy());
  const [day, setDay] = useState<Day>(today);
  const [view, setView] = useState(() => (window.matchMedia("(max-width: 760px)").matches ? "list" : "month"));
  const weeks = weeksOfMonth(day);
  const all = weeks.flat();
  const begin = startOf(all[0] ?? day, zone);
  const end = startOf(plusDays(all.at(-1) ?? day, 1), zone);
  const entries = [...maintenanceEntries(maintenances, begin, end), ...recycleEntries(policy.data, begin, end, now)];
  const month = all.filter((each) => each.slice(0, 7) === day.slice(0, 7));
  return (
    <Panel
      title="Calendar"
      actions={
        <>
          <a className="button" href={new URL("status-page/calendar.ics", baseUrl()).href}>
            <CalendarPlus size={14} aria-hidden="true" />
            iCal
          </a>
          <span className="button-group" role="group" aria-label="View">
            {["month", "list"].map((each) => (
              <Button key={each} aria-pressed={view === each} onClick={() => setView(each)}>
                {each === "month" ? "Month" : "List"}
              </Button>
            ))}
          </span>
        </>
      }
    >
      <div className="plan-head">
        <h3 aria-live="polite">{monthText(day)}</h3>
        <Button
          icon={<ChevronLeft size={14} aria-hidden="true" />}
          aria-label="Previous month"
          onClick={() => setDay(plusMonths(day, -1))}
        />
        <Button onClick={() => setDay(today)}>Today</Button>
        <Button
          icon={<ChevronRight size={14} aria-hidden="true" />}
          aria-label="Next month"
          onClick={() => setDay(plusMonths(day, 1))}
        />
        <span className="faint">in {zone}</span>
      </div>
      {view === "month" ? (
        <div className="table-scroll" tabIndex={0} role="region" aria-label="Month">
          <table className="plan-month">
            <caption className="sr-only">Maintenance in {monthText(day)}</caption>
            <thead>
              <tr>
                {weekdays.map((each) => (
                  <th key={each} scope="col">
                    {each}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {weeks.map((week) => (
                <tr key={week[0]}>
                  {week.map((each) => (
                    <td key={each} className={each.slice(0, 7) === day.slice(0, 7) ? undefined : "plan-other"}>
                      <span className={each === today ? "plan-day plan-today" : "plan-day"} aria-current={each === today ? "date" : undefined}>
                        {Number(each.slice(8))}
                      </span>
                      <Entries entries={entriesOf(entries, each, zone)} day={each} zone={zone} />
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      ) : (
        <List days={month} entries={entries} zone={zone} />
      )}
    </Panel>
  );
}

function List({ days, entries, zone }: { days: readonly Day[]; entries: readonly Entry[]; zone: string }) {
  const filled = days.map((day) => ({ day, all: entriesOf(entries, day, zone) })).filter(({ all }) => all.length > 0);
  if (filled.length === 0) return <p className="muted">Nothing is planned in this month.</p>;
  return (
    <ol className="plan-list">
      {filled.map(({ day, all }) => (
        <li key={day}>
          <h4>{longDay(day)}</h4>
          <Entries entries={all} day={day} zone={zone} />
        </li>
      ))}
    </ol>
  );
}

/** Returns the start and end times of an entry, as far as they are on the day. */
function span({ from, until }: Entry, day: Day, zone: string): string {
  const begins = dayOf(from, zone) === day ? timeOf(from, zone) : "";
  const ends = dayOf(until - 1, zone) === day ? timeOf(until, zone) : "";
  if (until - from < 60_000) return begins;
  if (begins && ends) return `${begins} – ${ends}`;
  return begins ? `from ${begins}` : ends ? `until ${ends}` : "all day";
}

function Entries({ entries, day, zone }: { entries: readonly Entry[]; day: Day; zone: string }) {
  if (entries.length === 0) return null;
  return (
    <ul className="plan-entries">
      {entries.map((entry) => {
        const { key, title, maintenance } = entry;
        const time = span(entry, day, zone);
        return (
          <li key={key} className={maintenance ? `plan-entry plan-${maintenance.stage}` : "plan-entry plan-recycle"} title={`${title}, ${time}`}>
            {maintenance ? <Wrench size={11} aria-hidden="true" /> : <RefreshCw size={11} aria-hidden="true" />}
            <span className="plan-time">{time}</span>
            {maintenance ? (
              <Link to="/instances/$id" params={{ id: maintenance.id }}>
                {title}
                <span className="sr-only">, {stageTexts[maintenance.stage]}</span>
              </Link>
            ) : (
              <span>{title}</span>
            )}
          </li>
        );
      })}
    </ul>
  );
}
