import { useState } from "react";
import { startRollout } from "../../api/rollouts";
import type { Executor } from "../../api/schema";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { Field } from "../../components/Field";
import { More } from "../../components/More";
import { useToast } from "../../components/Toast";
import { emptyRollout, nodeOf, nodesOf, requestOf, rolloutFaults, type RolloutForm } from "./rollouts";

/** A dialog that starts a rollout of the chosen nodes. */
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
      title="Start rollout"
      action={(reason) => startRollout(ready ? requestOf(form) : {}, reason)}
      confirm={`Replace ${chosen.length === 1 ? "1 node" : `${chosen.length} nodes`}`}
      danger
      ready={ready}
      onDone={({ id }) => toast(`Rollout ${id} started`)}
      onClose={onClose}
    >
      <p>
        Nodes drain and stop one after another. The supervisor of each node, for example a container platform, must start it again. The next
        node stops when the previous one is back and ready. If a node does not come back, the rollout pauses.
      </p>
      <fieldset className="rollout-choice">
        <legend className="field-name">Nodes</legend>
        <label className="check-label">
          <input type="checkbox" checked={form.nodes === null} onChange={({ target }) => change({ nodes: target.checked ? null : [] })} />
          all nodes that are running when the rollout starts, now {names.length}
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
      {self && chosen.includes(nodeOf(self)) && <p>The process that serves this page is one of them; the page remains available.</p>}
      <More summary="Times, in seconds">
        {seconds("grace", "Grace", "for running handlers; empty for the setting of each node")}
        {seconds("minReady", "Ready for", "before the next node stops; 30 if empty")}
        {seconds("patience", "Patience", "for a node to come back before the rollout pauses; 600 if empty")}
      </More>
    </ConfirmDialog>
  );
}
