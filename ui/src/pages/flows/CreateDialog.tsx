import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { createJob, type Flow } from "../../api/flows";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { Field } from "../../components/Field";
import { rowsFor } from "../../components/json";
import { useToast } from "../../components/Toast";
import { emptyJob, jobFaults, requestOf, type JobForm } from "./form";

/** A dialog that creates a job of a flow. */
export function CreateDialog({ flow: { name, lookup, queues }, onClose }: { flow: Flow; onClose: () => void }) {
  const toast = useToast();
  const [form, setForm] = useState<JobForm>(() => emptyJob(lookup));
  const faults = jobFaults(form);
  const change = (part: Partial<JobForm>) => setForm((before) => ({ ...before, ...part }));
  return (
    <ConfirmDialog
      title={`Create a job of ${name}`}
      action={() => createJob(name, requestOf(form))}
      confirm="Create"
      withReason={false}
      ready={Object.keys(faults).length === 0}
      onDone={({ id, created }) =>
        toast(
          <>
            {created ? "Created " : "A job with this key exists: "}
            <Link to="/flows/$flow/jobs/$id" params={{ flow: name, id }}>
              job {id}
            </Link>
          </>,
        )
      }
      onClose={onClose}
    >
      <Field label="Fields" hint="a JSON object; strings in quotes" fault={faults.fields}>
        {(control) => (
          <textarea {...control} rows={rowsFor(form.fields) + 1} value={form.fields} spellCheck={false} onChange={({ target }) => change({ fields: target.value })} />
        )}
      </Field>
      <p className="muted">
        {lookup.length > 0 && `It can be found by ${lookup.join(" or ")}. `}It starts in {queues[0]?.name}.
      </p>
      <div className="field-row">
        <Field label="Delay" hint="seconds; empty for none" fault={faults.delay}>
          {(control) => <input {...control} value={form.delay} inputMode="numeric" autoComplete="off" onChange={({ target }) => change({ delay: target.value })} />}
        </Field>
        <Field label="Priority" hint="1 first, 100 last" fault={faults.priority}>
          {(control) => <input {...control} value={form.priority} inputMode="numeric" autoComplete="off" onChange={({ target }) => change({ priority: target.value })} />}
        </Field>
        <Field label="Unique key" hint="at most one job with this key">
          {(control) => <input {...control} value={form.uniqueKey} maxLength={200} autoComplete="off" onChange={({ target }) => change({ uniqueKey: target.value })} />}
        </Field>
        <Field label="Correlation id">
          {(control) => <input {...control} value={form.correlationId} maxLength={200} autoComplete="off" onChange={({ target }) => change({ correlationId: target.value })} />}
        </Field>
      </div>
    </ConfirmDialog>
  );
}
