import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useEffect, useMemo, useRef, useState } from "react";
import { calendarQueries } from "../../api/calendar";
import { useTold, useZone, zoneName } from "../../app/time";
import { isOutage } from "../../app/trouble";
import { ErrorPanel } from "../../components/ErrorPanel";
import { Loaded } from "../../components/Loaded";
import { Page } from "../../components/Page";
import { useNarrow } from "../../components/useNarrow";
import { useKeys } from "../instances/useKeys";
import "./calendar.css";
import { Controls, KeyHelp, Legend } from "./Controls";
import { dayOf, monthOf, monthText, plusDays, plusMonths, startOf, weekOf, weeksOfMonth, weekText, type Day } from "./days";
import { DayDialog } from "./SlotList";
import { Hints } from "./Hint";
import { ListView } from "./ListView";
import { LoadStrip } from "./LoadStrip";
import { MonthView } from "./MonthView";
import { planOf } from "./plan";
import { readCalendarSearch, type CalendarSearch, type View } from "./search";
import { WeekView } from "./WeekView";

const route = getRouteApi("/calendar");

function daysOf(view: View, day: Day): Day[] {
  return view === "week" ? weekOf(day) : view === "month" ? weeksOfMonth(day).flat() : monthOf(day);
}

export function CalendarPage() {
  const search = readCalendarSearch({ ...route.useSearch() });
  const navigate = useNavigate();
  const [viewers] = useZone();
  const own = zoneName(viewers);
  const zone = search.zone ?? own;
  const now = Number(useTold((at) => String(Math.floor(at / 60_000)))) * 60_000;
  const today = dayOf(now, zone);
  const day = search.day ?? today;
  const small = useNarrow();
  const view = search.view ?? "month";
  const layout = small ? "list" : view;
  const days = useMemo(() => daysOf(small && view === "month" ? "list" : view, day), [small, view, day]);
  const [first = day, last = day] = [days[0], days.at(-1)];
  const [from, to] = [startOf(first, zone), startOf(plusDays(last, 1), zone)].map((at) => new Date(at).toISOString());
  const calendar = useQuery({
    ...calendarQueries.calendar(from ?? "", to ?? "", zone),
    placeholderData: keepPreviousData,
  });
  const plans = useMemo(
    () => (calendar.data ? planOf(days, calendar.data, zone) : []),
    [days, calendar.data, zone],
  );
  const [open, setOpen] = useState<Day>();
  const focus = useRef<Day>(undefined);

  const go = (change: CalendarSearch, replace = false) =>
    void navigate({
      to: "/calendar",
      search: readCalendarSearch({ ...search, ...change }),
      replace,
      resetScroll: false,
    });
  const turn = (by: number) => go({ day: view === "week" ? plusDays(day, by * 7) : plusMonths(day, by) });
  useKeys({
    n: () => turn(1),
    p: () => turn(-1),
    t: () => go({ day: undefined }),
    m: () => go({ view: "month" }),
    w: () => go({ view: "week" }),
    l: () => go({ view: "list" }),
  });
  useEffect(() => {
    if (!focus.current) return;
    document.querySelector<HTMLElement>(`[data-day="${focus.current}"]`)?.focus();
    focus.current = undefined;
  });

  const title = view === "week" ? weekText(day) : monthText(day);
  const shared = {
    ...{ plans, zone, day, today, now, onOpen: setOpen },
    onDay: (next: Day) => {
      focus.current = next;
      go({ day: next }, true);
    },
  };
  const opened = plans.find((plan) => plan.day === open);
  return (
    <Page
      title="Calendar"
      subtitle="Past and planned slots of sequences, with their results."
      zone={zone}
      actions={<Controls view={view} small={small} zone={zone} own={own} onChange={go} onTurn={turn} />}
    >
      {calendar.data && calendar.error && !isOutage(calendar.error) && <ErrorPanel error={calendar.error} />}
      <Loaded query={calendar}>
        {(data) => (
          <Hints className="calendar">
            <LoadStrip load={data.load} now={Date.parse(data.now)} zone={zone} />
            <header className="calendar-head">
              <h2 aria-live="polite">{title}</h2>
              <Legend plans={plans} />
            </header>
            {data.truncated && (
              <p className="calendar-truncated" role="status">
                Not all slots of this period are shown. {view === "week" ? "" : "The week view shows more of them."}
              </p>
            )}
            <div className="calendar-body" aria-busy={calendar.isPlaceholderData}>
              {layout === "month" && <MonthView {...shared} />}
              {layout === "week" && <WeekView {...shared} />}
              {layout === "list" && <ListView {...shared} />}
            </div>
            {!small && <KeyHelp days={layout !== "list"} />}
          </Hints>
        )}
      </Loaded>
      {opened && <DayDialog plan={opened} zone={zone} onClose={() => setOpen(undefined)} />}
    </Page>
  );
}
