import type { Day } from "./days";
import type { DayPlan } from "./plan";

export interface ViewProps {
  plans: readonly DayPlan[];
  zone: string;
  /** The day with the keyboard focus. */
  day: Day;
  today: Day;
  /** Now, to the minute. */
  now: number;
  onDay: (day: Day) => void;
  /** Opens the list of a day. */
  onOpen: (day: Day) => void;
}
