import { useState } from "react";
import { startRollout } from "../../api/rollouts";
import type { Executor } from "../../api/schema";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { Field } from "../../components/Field";
import { More } from "../../components/More";
import { useToast } from "../../components/Toast";
import { emptyRollout, nodeOf, nodesOf, requestOf, rolloutFaults, type RolloutForm } from "./rollouts";

/** Asks which nodes are to be replaced, and with how much patience. */
export function StartRollout({ executors, onClose }: { executors: readonly Executor[]; onClose: () => void }) {
  const toast = useToast();
  const [form, setForm] = useState<RolloutForm>(emptyRollout);
  const change = (part: Partial<RolloutForm>) => setForm((before) => ({ ...before, ...part }));
  const faults = rolloutFaults(form);
  const ready = Object.keys(faults).length === 0;
  const names = nodesOf(executors);
  const chosen = form.nodes ?? names;
  const self = executors.find((one) => one.self);
  const seconds = (name: "grace" | "minReady" | "patience", label: string, hint: string) => (
    <Field label={label} hint={hint} fault={faults[name]}>
      {(control) => (
        <input
          {...control}
          value={form[name]}
          inputMode="numeric"
          autoComplete="off"
          onChange={({ target }) => change({ [name]: target.value })}
        />
      )}
    </Field>
  );
  return (
    <ConfirmDialog
      title="Start a rollout"
      action={(reason) => startRollout(ready ? requestOf(form) : {}, reason)}
      confirm={`Replace ${chosen.length === 1 ? "1 node" : `${chosen.length} nodes`}`}
      danger
      ready={ready}
      onDone={({ id }) => toast(`Rollout ${id} has begun`)}
      onClose={onClose}
    >
      <p>
        Nodes leave one after another in good order; each has to be started anew by what runs it, such as a container platform. The next one
        leaves when the last is back and ready. If one stays away, the rollout pauses.
      </p>
      <fieldset className="rollout-choice">
        <legend className="field-name">Nodes</legend>
        <label className="check-label">
          <input type="checkbox" checked={form.nodes === null} onChange={({ target }) => change({ nodes: target.checked ? null : [] })} />
          all that are at work when it begins, now {names.length}
        </label>
        {form.nodes !== null &&
          names.map((name) => (
            <label key={name} className="check-label">
              <input
                type="checkbox"
                checked={chosen.includes(name)}
                onChange={({ target }) =>
                  change({ nodes: names.filter((one) => (one === name ? target.checked : chosen.includes(one))) })
                }
              />
              {name}
            </label>
          ))}
        {faults.nodes && <span className="field-fault">{faults.nodes}</span>}
      </fieldset>
      {self && chosen.includes(nodeOf(self)) && <p>The process that shows this page is one of them; the page stays.</p>}
      <More summary="Times, in seconds">
        {seconds("grace", "Grace", "how long handlers may go on; empty for each node's own")}
        {seconds("minReady", "Ready for", "before the next one leaves; 30 when empty")}
        {seconds("patience", "Patience", "how long one may stay away before it pauses; 600 when empty")}
      </More>
    </ConfirmDialog>
  );
}
