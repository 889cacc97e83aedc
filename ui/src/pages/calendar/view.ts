import type { Day } from "./days";
import type { DayPlan } from "./plan";

export interface ViewProps {
  plans: readonly DayPlan[];
  zone: string;
  /** The day that the keyboard is at. */
  day: Day;
  today: Day;
  /** Now, to the minute. */
  now: number;
  onDay: (day: Day) => void;
  /** Lists all of a day. */
  onOpen: (day: Day) => void;
}
