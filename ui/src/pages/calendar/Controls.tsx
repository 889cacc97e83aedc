import { ChevronLeft, ChevronRight } from "lucide-react";
import { Button } from "../../components/Button";
import { outcomeWords } from "../../components/slots";
import { countText } from "../../components/number";
import { zones } from "../../components/zoned";
import { OutcomeIcon } from "./Mark";
import { tallyOf, type DayPlan } from "./plan";
import { views, type CalendarSearch, type View } from "./search";

interface ControlsProps {
  view: View;
  small: boolean;
  zone: string;
  /** The zone that the viewer has chosen for all pages. */
  own: string;
  onChange: (change: CalendarSearch) => void;
  onTurn: (by: number) => void;
}

const viewNames: Record<View, string> = { month: "Month", week: "Week", list: "List" };

/** The controls of the calendar: zone, view, and buttons to other periods. */
export function Controls({ view, small, zone, own, onChange, onTurn }: ControlsProps) {
  const period = view === "week" ? "week" : "month";
  return (
    <>
      <label className="calendar-zone">
        <span className="sr-only">Zone</span>
        <select value={zone} onChange={({ target }) => onChange({ zone: target.value === own ? undefined : target.value })}>
          <option value={own}>{own} (yours)</option>
          {own !== "UTC" && <option value="UTC">UTC</option>}
          <optgroup label="All zones">
            {zones()
              .filter((one) => one !== own && one !== "UTC")
              .map((one) => (
                <option key={one}>{one}</option>
              ))}
          </optgroup>
        </select>
      </label>
      <div className="button-group" role="group" aria-label="View">
        {views
          .filter((one) => !small || one !== "list")
          .map((one) => (
            <Button
              key={one}
              aria-pressed={one === view || (small && one === "month" && view === "list")}
              title={`${viewNames[one]} (${one[0]})`}
              onClick={() => onChange({ view: one === "month" ? undefined : one })}
            >
              {viewNames[one]}
            </Button>
          ))}
      </div>
      <span className="cell-buttons">
        <Button
          icon={<ChevronLeft size={16} aria-hidden="true" />}
          aria-label={`Previous ${period}`}
          title={`Previous ${period} (p)`}
          onClick={() => onTurn(-1)}
        />
        <Button title="Today (t)" onClick={() => onChange({ day: undefined })}>
          Today
        </Button>
        <Button
          icon={<ChevronRight size={16} aria-hidden="true" />}
          aria-label={`Next ${period}`}
          title={`Next ${period} (n)`}
          onClick={() => onTurn(1)}
        />
      </span>
    </>
  );
}

/** The legend of the marks, with their counts. */
export function Legend({ plans }: { plans: readonly DayPlan[] }) {
  return (
    <ul className="calendar-legend" aria-label="Slots in this period">
      {tallyOf(plans.flatMap(({ slots }) => slots)).map(({ outcome, count }) => (
        <li key={outcome} title={outcomeWords[outcome].meaning}>
          <OutcomeIcon outcome={outcome} size={13} />
          <b className="number">{countText(count)}</b> {outcomeWords[outcome].word.toLowerCase()}
        </li>
      ))}
    </ul>
  );
}

export function KeyHelp({ days }: { days: boolean }) {
  return (
    <p className="calendar-keys faint">
      <kbd>p</kbd> <kbd>n</kbd> previous, next <kbd>t</kbd> today <kbd>m</kbd> <kbd>w</kbd> <kbd>l</kbd> view
      {days && (
        <>
          {" "}
          <kbd>← ↑ ↓ →</kbd> move between days <kbd>Enter</kbd> slots of the day
        </>
      )}
    </p>
  );
}
