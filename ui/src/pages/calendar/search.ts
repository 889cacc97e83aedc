import { among, one } from "../../app/search";
import { isZone } from "../../components/zoned";
import { isDay, type Day } from "./days";

export const views = ["month", "week", "list"] as const;
export type View = (typeof views)[number];

export interface CalendarSearch {
  view?: View;
  /** Day within the period shown; today if left out. */
  day?: Day;
  /** Zone of the page if it differs from the viewer's. */
  zone?: string;
}

export function readCalendarSearch(search: Record<string, unknown>): CalendarSearch {
  const day = one(search.day);
  const zone = one(search.zone);
  const view = among(search.view, views);
  return {
    ...(view ? { view } : {}),
    ...(day && isDay(day) ? { day } : {}),
    ...(zone && zone !== "Z" && isZone(zone) ? { zone } : {}),
  };
}
