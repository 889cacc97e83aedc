import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { RegisteredTask } from "../../api/schema";
import { sequenceQueries } from "../../api/sequences";
import { Field } from "../../components/Field";
import { rowsFor } from "../../components/json";
import { More } from "../../components/More";
import { Panel } from "../../components/Page";
import type { Faults, SequenceForm } from "./form";
import { ScheduleEditor } from "./ScheduleEditor";
import { SequenceTasksEditor } from "./SequenceTasksEditor";

interface Props {
  form: SequenceForm;
  isNew: boolean;
  tasks: readonly RegisteredTask[];
  faults: Faults;
  onChange: (form: SequenceForm) => void;
}

/** The fields of a sequence. */
export function Fields({ form, isNew, tasks, faults, onChange }: Props) {
  const types = useQuery(sequenceQueries.types());
  const change = (part: Partial<SequenceForm>) => onChange({ ...form, ...part });
  const known = types.data ?? [];
  const choices = form.type && !known.includes(form.type) ? [form.type, ...known] : known;
  const fitting = tasks.filter(({ type }) => type === form.type);
  return (
    <div className="editor-main">
      <Panel title="Sequence" className="form-panel">
        <div className="form-row">
          <Field label="Id" hint={isNew ? "unique, for example Report_weekly" : ""} fault={faults.sequenceId}>
            {(control) => (
              <input
                {...control}
                value={form.sequenceId}
                readOnly={!isNew}
                required
                maxLength={150}
                autoComplete="off"
                spellCheck={false}
                onChange={({ target }) => change({ sequenceId: target.value })}
              />
            )}
          </Field>
          <Field label="Type" hint="same as its tasks" fault={faults.type}>
            {(control) => (
              <select {...control} required value={form.type} onChange={({ target }) => change({ type: target.value })}>
                <option value="" disabled>
                  Choose a type
                </option>
                {choices.map((type) => (
                  <option key={type}>{type}</option>
                ))}
              </select>
            )}
          </Field>
        </div>
        <label className="check-label">
          <input type="checkbox" checked={form.active} onChange={({ target }) => change({ active: target.checked })} />
          Active (runs on its schedule)
        </label>
      </Panel>
      <Panel title="Tasks" className="form-panel">
        <SequenceTasksEditor sequenceTasks={form.sequenceTasks} tasks={fitting} faults={faults} onChange={(sequenceTasks) => change({ sequenceTasks })} />
        {form.type && fitting.length === 0 && (
          <p className="muted">
            No task of type {form.type} is registered. Register one on the page <Link to="/tasks">tasks</Link>.
          </p>
        )}
        <More summary="Parameters for all tasks" begins={form.parameters !== ""}>
          <Field label="Parameters for all tasks" hint="a JSON object; overrides the parameters of each task" fault={faults.parameters}>
            {(control) => (
              <textarea
                {...control}
                rows={rowsFor(form.parameters)}
                value={form.parameters}
                placeholder="{}"
                spellCheck={false}
                onChange={({ target }) => change({ parameters: target.value })}
              />
            )}
          </Field>
        </More>
      </Panel>
      <Panel title="Schedule" className="form-panel">
        <ScheduleEditor schedule={form.schedule} faults={faults} onChange={(schedule) => change({ schedule })} />
      </Panel>
    </div>
  );
}
