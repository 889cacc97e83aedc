import { useState } from "react";
import { ApiError, serverNow } from "../../api/client";
import type { RegisteredTask } from "../../api/schema";
import { saveTask } from "../../api/taskActions";
import { Clash } from "../../components/Clash";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { Field } from "../../components/Field";
import { rowsFor } from "../../components/json";
import { emptyTask, joinedTask, taskBody, taskFaults, taskFormOf, type TaskForm } from "./taskForm";

interface Props {
  /** Current state of the task to change; null for a new one. */
  task: RegisteredTask | null;
  types: readonly string[];
  onClose: () => void;
}

/** A dialog that registers or changes a task. */
export function TaskDialog({ task, types, onClose }: Props) {
  const [base, setBase] = useState(() => ({
    form: task ? taskFormOf(task) : emptyTask(types[0] ?? ""),
    revision: task?.revision,
    read: serverNow(),
  }));
  const [form, setForm] = useState(base.form);
  const [touched, setTouched] = useState<ReadonlySet<keyof TaskForm>>(new Set());
  const all = taskFaults(form);
  const fault = (field: keyof TaskForm) => (touched.has(field) ? all[field] : undefined);
  const change = (part: Partial<TaskForm>) => {
    setForm((before) => ({ ...before, ...part }));
    setTouched((before) => new Set([...before, ...(Object.keys(part) as (keyof TaskForm)[])]));
  };
  const onTrouble = (error: Error, forget: () => void) => {
    if (!(error instanceof ApiError && error.status === 409) || !task || task.revision === base.revision) return;
    const theirs = taskFormOf(task);
    const { form: both, ...changed } = joinedTask(base.form, form, theirs);
    const take = (next: TaskForm) => {
      setBase({ form: theirs, revision: task.revision, read: serverNow() });
      setForm(next);
      forget();
    };
    return (
      <Clash {...changed} name={task.name} since={base.read} onKeep={() => take(both)} onDrop={() => take(theirs)} />
    );
  };
  const line = (field: Exclude<keyof TaskForm, "sharesChannel">, label: string, hint: string, more: object = {}) => (
    <Field label={label} hint={hint} fault={fault(field)}>
      {(control) => (
        <input
          {...control}
          autoComplete="off"
          spellCheck={false}
          value={form[field]}
          onChange={({ target }) => change({ [field]: target.value })}
          {...more}
        />
      )}
    </Field>
  );
  return (
    <ConfirmDialog
      title={task ? `Edit task ${task.name}` : "Register task"}
      action={() => saveTask(taskBody(form), base.revision)}
      confirm={task ? "Save" : "Register"}
      withReason={false}
      ready={Object.keys(all).length === 0}
      onTrouble={onTrouble}
      onClose={onClose}
    >
      {task && <p>Changes take effect with the next execution of each sequence that contains the task.</p>}
      <div className="field-row">
        {line("name", "Name", "unique", { readOnly: task !== null, maxLength: 80, required: true })}
        {line("type", "Type", "created if it is new", { list: "task-types", maxLength: 80, required: true })}
        <datalist id="task-types">
          {types.map((type) => (
            <option key={type} value={type} />
          ))}
        </datalist>
      </div>
      {line("component", "Component", "a class, or the name of a handler registered by code", {
        maxLength: 500,
        required: true,
        className: "mono",
      })}
      <div className="field-row">
        {line("channel", "Channel", "empty for none", { maxLength: 200 })}
        <label className="check-label task-shares">
          <input
            type="checkbox"
            checked={form.sharesChannel}
            disabled={!form.channel.trim()}
            onChange={({ target }) => change({ sharesChannel: target.checked })}
          />
          Share with other tasks
        </label>
        {line("maxRetries", "Retries", "empty for the server's default", { inputMode: "numeric" })}
        {line("firstRetryDelay", "First delay", "seconds", { inputMode: "decimal" })}
        {line("timeout", "Timeout", "seconds per attempt", { inputMode: "decimal" })}
        {line("dependency", "List order", "a number", { inputMode: "numeric" })}
      </div>
      <Field label="Parameters" hint="a JSON object, for sequences that do not set their own" fault={fault("parameters")}>
        {(control) => (
          <textarea
            {...control}
            rows={rowsFor(form.parameters)}
            className="task-parameters"
            value={form.parameters}
            placeholder="{}"
            spellCheck={false}
            onChange={({ target }) => change({ parameters: target.value })}
          />
        )}
      </Field>
    </ConfirmDialog>
  );
}
