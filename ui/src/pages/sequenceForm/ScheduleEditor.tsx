import { Field } from "../../components/Field";
import { DateInput } from "../../components/DateInput";
import { rowsFor } from "../../components/json";
import { More } from "../../components/More";
import { zones } from "../../components/zoned";
import { calendarsExample } from "./calendars";
import { Choice } from "./Choice";
import type { Faults } from "./form";
import { InstantField } from "./InstantField";
import { CronFields, IntervalFields } from "./kinds";
import {
  frequencies,
  hasPolicy,
  misfirePolicies,
  needsEnd,
  needsStart,
  overlapPolicies,
  weekDays,
  type ScheduleField,
  type ScheduleForm,
} from "./schedule";

export interface EditorProps {
  schedule: ScheduleForm;
  fault: (field: ScheduleField) => string | undefined;
  change: (part: Partial<ScheduleForm>) => void;
}

interface Props {
  schedule: ScheduleForm;
  faults: Faults;
  onChange: (schedule: ScheduleForm) => void;
}

const kinds = [
  ["frequency", "By the calendar"],
  ["cron", "Cron"],
  ["every", "Interval"],
] as const;

/** The fields of a schedule: its times, and its policies for missed and overlapping slots. */
export function ScheduleEditor({ schedule, faults, onChange }: Props) {
  const props: EditorProps = {
    schedule,
    fault: (field) => faults[`schedule.${field}`],
    change: (part) => onChange({ ...schedule, ...part }),
  };
  return (
    <>
      <fieldset className="choices">
        <legend className="sr-only">Kind of schedule</legend>
        {kinds.map(([kind, word]) => (
          <label key={kind} className="check-label">
            <input
              type="radio"
              name="kind"
              checked={schedule.kind === kind}
              onChange={() => props.change({ kind })}
            />
            {word}
          </label>
        ))}
      </fieldset>
      {faults.schedule && <div className="field-fault">{faults.schedule}</div>}
      {schedule.kind === "frequency" && <FrequencyFields {...props} />}
      {schedule.kind === "cron" && <CronFields {...props} />}
      {schedule.kind === "every" && <IntervalFields {...props} />}
      <div className="form-row">
        <ZoneField {...props} />
        <InstantField
          key={schedule.kind}
          label="Until"
          hint="empty for no end"
          value={schedule.until}
          fault={props.fault("until")}
          onChange={(until) => props.change({ until })}
        />
      </div>
      <Policies {...props} />
      <Calendars {...props} />
    </>
  );
}

function FrequencyFields({ schedule, fault, change }: EditorProps) {
  return (
    <div className="form-row">
      <Field label="Frequency">
        {(control) => (
          <select {...control} value={schedule.frequency} onChange={({ target }) => change({ frequency: target.value })}>
            {frequencies.map(([frequency, words]) => (
              <option key={frequency} value={frequency}>
                {frequency} – {words}
              </option>
            ))}
          </select>
        )}
      </Field>
      {schedule.frequency === "WEEKLY" && (
        <Field label="First day of a week">
          {(control) => (
            <select {...control} value={schedule.weekStart} onChange={({ target }) => change({ weekStart: target.value })}>
              {weekDays.map((day) => (
                <option key={day} value={day}>
                  {day.charAt(0) + day.slice(1).toLowerCase()}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
      <Field
        label="Start date"
        hint={needsStart(schedule) ? "first day of the report" : "optional"}
        fault={fault("startDate")}
      >
        {(control) => (
          <DateInput
            {...control}
            required={needsStart(schedule)}
            value={schedule.startDate}
            onChange={(startDate) => change({ startDate })}
          />
        )}
      </Field>
      <Field
        label="End date"
        hint={needsEnd(schedule) ? "last day of the report" : "optional"}
        fault={fault("endDate")}
      >
        {(control) => (
          <DateInput
            {...control}
            required={needsEnd(schedule)}
            value={schedule.endDate}
            onChange={(endDate) => change({ endDate })}
          />
        )}
      </Field>
    </div>
  );
}

function ZoneField({ schedule, fault, change }: EditorProps) {
  return (
    <Field label="Time zone" hint="of the days and hours" fault={fault("zone")}>
      {(control) => (
        <>
          <input
            {...control}
            list="schedule-zones"
            value={schedule.zone}
            maxLength={60}
            autoComplete="off"
            spellCheck={false}
            onChange={({ target }) => change({ zone: target.value })}
          />
          <datalist id="schedule-zones">
            {zones().map((zone) => (
              <option key={zone} value={zone} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  );
}

function Policies({ schedule, fault, change }: EditorProps) {
  return (
    <More summary="Missed and overlapping slots" begins={hasPolicy(schedule)}>
      <div className="form-row">
        <Choice
          label="Misfire"
          hint="for missed slots"
          value={schedule.misfire}
          options={misfirePolicies}
          onChange={(misfire) => change({ misfire })}
        />
        <Choice
          label="Overlap"
          hint="for a slot that is due while an execution runs"
          value={schedule.overlap}
          options={overlapPolicies}
          onChange={(overlap) => change({ overlap })}
        />
        <Field label="Catch-up limit" hint="most slots that may wait; 100 by default" fault={fault("catchUpLimit")}>
          {(control) => (
            <input
              {...control}
              inputMode="numeric"
              placeholder="100"
              value={schedule.catchUpLimit}
              onChange={({ target }) => change({ catchUpLimit: target.value })}
            />
          )}
        </Field>
        <label className="check-label">
          <input type="checkbox" checked={schedule.recurs} onChange={({ target }) => change({ recurs: target.checked })} />
          Recurs; otherwise it ends after its first run
        </label>
      </div>
    </More>
  );
}

function Calendars({ schedule, fault, change }: EditorProps) {
  return (
    <More summary="Holidays and blackouts" begins={schedule.calendars !== ""}>
      <Field label="Calendars" hint="a JSON list; holidays are days of the schedule's zone" fault={fault("calendars")}>
        {(control) => (
          <textarea
            {...control}
            rows={rowsFor(schedule.calendars)}
            value={schedule.calendars}
            placeholder={calendarsExample}
            spellCheck={false}
            onChange={({ target }) => change({ calendars: target.value })}
          />
        )}
      </Field>
    </More>
  );
}
