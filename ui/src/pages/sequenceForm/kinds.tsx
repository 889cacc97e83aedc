import { Field } from "../../components/Field";
import { Choice } from "./Choice";
import { InstantField } from "./InstantField";
import { dstPolicies, type Unit } from "./schedule";
import type { EditorProps } from "./ScheduleEditor";

const samples = [
  ["0 0 8 ? * MON-FRI", "at 8 on working days"],
  ["0 0/15 * * * ?", "every quarter of an hour"],
  ["0 30 2 L * ?", "at half past 2 on the last day of a month"],
] as const;

export function CronFields({ schedule, fault, change }: EditorProps) {
  return (
    <div className="form-row form-row-wide">
      <Field
        label="Cron"
        hint="seconds, minutes, hours, day of month, month, day of week, and optionally a year"
        fault={fault("cron")}
      >
        {(control) => (
          <>
            <input
              {...control}
              className="mono"
              list="cron-samples"
              value={schedule.cron}
              placeholder="0 0 8 ? * MON-FRI"
              maxLength={200}
              autoComplete="off"
              spellCheck={false}
              onChange={({ target }) => change({ cron: target.value })}
            />
            <datalist id="cron-samples">
              {samples.map(([cron, words]) => (
                <option key={cron} value={cron} label={words} />
              ))}
            </datalist>
          </>
        )}
      </Field>
      <Choice
        label="Clock changes"
        hint="daylight saving time"
        value={schedule.dst}
        options={dstPolicies}
        onChange={(dst) => change({ dst })}
      />
    </div>
  );
}

export function IntervalFields({ schedule, fault, change }: EditorProps) {
  return (
    <div className="form-row">
      <Field label="Every" fault={fault("amount")}>
        {(control) => (
          <span className="amount">
            <input
              {...control}
              inputMode="numeric"
              value={schedule.amount}
              onChange={({ target }) => change({ amount: target.value })}
            />
            <select
              aria-label="Unit"
              value={schedule.unit}
              onChange={({ target }) => change({ unit: target.value as Unit })}
            >
              {["seconds", "minutes", "hours", "days"].map((unit) => (
                <option key={unit}>{unit}</option>
              ))}
            </select>
          </span>
        )}
      </Field>
      <InstantField
        label="Counted from"
        hint="1970-01-01T00:00Z by default"
        value={schedule.anchor}
        fault={fault("anchor")}
        onChange={(anchor) => change({ anchor })}
      />
    </div>
  );
}
