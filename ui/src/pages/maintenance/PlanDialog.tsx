import { useState } from "react";
import { savePlan } from "../../api/maintenance";
import type { Maintenance } from "../../api/schema";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { Field } from "../../components/Field";
import { InstantField } from "../sequenceForm/InstantField";
import { emptyPlan, formOf, planFaults, planOf, type PlanForm } from "./plan";

interface Props {
  /** Maintenance to change; null for a new one. */
  maintenance: Maintenance | null;
  onClose: () => void;
}

/** A dialog that plans a maintenance, or changes its plan. */
export function PlanDialog({ maintenance, onClose }: Props) {
  const [form, setForm] = useState<PlanForm>(() => (maintenance ? formOf(maintenance.plan) : emptyPlan));
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const all = planFaults(form);
  const complete = Object.keys(all).length === 0;
  const change = (part: Partial<PlanForm>) => {
    setForm((before) => ({ ...before, ...part }));
    setTouched((before) => new Set([...before, ...Object.keys(part)]));
  };
  const line = (field: "title" | "affected", label: string, hint: string, more: object = {}) => (
    <Field label={label} hint={hint} fault={touched.has(field) ? all[field] : undefined}>
      {(control) => (
        <input
          {...control}
          autoComplete="off"
          value={form[field]}
          onChange={({ target }) => change({ [field]: target.value })}
          {...more}
        />
      )}
    </Field>
  );
  const moment = (field: "from" | "until", label: string, hint: string) => (
    <InstantField
      label={label}
      hint={hint}
      value={form[field]}
      fault={touched.has(field) ? all[field] : undefined}
      onChange={(value) => change({ [field]: value })}
    />
  );
  return (
    <ConfirmDialog
      title={maintenance ? `Change maintenance ${maintenance.id}` : "Plan maintenance"}
      action={() => savePlan(complete ? planOf(form) : { title: form.title, from: "", until: "" }, maintenance?.id)}
      confirm={maintenance ? "Save" : "Plan"}
      withReason={false}
      ready={complete}
      onClose={onClose}
    >
      <p>All subscribers are notified{maintenance ? " of the change" : ""}.</p>
      {line("title", "Title", "one line", { maxLength: 200, required: true })}
      <div className="field-row">
        {moment("from", "From", "start of the maintenance")}
        {moment("until", "Until", "end of the maintenance")}
      </div>
      <div className="field-row">
        <Field label="Impact" hint="on users">
          {(control) => (
            <select
              {...control}
              value={form.impact}
              onChange={({ target }) => change({ impact: target.value as PlanForm["impact"] })}
            >
              <option value="none">nothing</option>
              <option value="delays">delays</option>
              <option value="outage">an outage</option>
            </select>
          )}
        </Field>
        {line("affected", "Affected", "names, separated by commas; empty for everything", { maxLength: 1000 })}
      </div>
      <Field label="Text" hint="optional">
        {(control) => (
          <textarea
            {...control}
            rows={4}
            maxLength={4000}
            value={form.text}
            onChange={({ target }) => change({ text: target.value })}
          />
        )}
      </Field>
      <label className="check-label">
        <input
          type="checkbox"
          checked={form.automatic}
          onChange={({ target }) => change({ automatic: target.checked })}
        />
        Start and end automatically at these times
      </label>
    </ConfirmDialog>
  );
}
