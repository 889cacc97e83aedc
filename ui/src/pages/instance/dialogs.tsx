import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { editVariables, move, onInstance, signal } from "../../api/actions";
import { queries } from "../../api/queries";
import type { InstanceDetail } from "../../api/schema";
import { Button } from "../../components/Button";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { ForceField } from "../../components/ForceField";
import { isComplete, noSignal, payloadOf, SignalFields, type SignalText } from "../../components/SignalFields";
import { edited, type Edit } from "./edit";

interface Props {
  instance: InstanceDetail;
  onClose: () => void;
}

const simple = {
  wake: { title: "Wake", text: "The instance becomes due now and continues in its current state.", confirm: "Wake" },
  retry: { title: "Retry", text: "Runs the current state again now, with fresh attempts.", confirm: "Retry" },
  pause: { title: "Pause", text: "The instance does not run until it is resumed. A running handler may finish.", confirm: "Pause" },
  resume: { title: "Resume", text: "Ends the pause. The instance continues where it was paused.", confirm: "Resume" },
  cancel: {
    title: "Cancel",
    text: "Ends the instance as cancelled. A running handler is asked to stop, and its result is ignored. This cannot be undone.",
    confirm: "Cancel instance",
  },
} as const;

export function SimpleDialog({ instance, action, onClose }: Props & { action: keyof typeof simple }) {
  const { title, text, confirm } = simple[action];
  return (
    <ConfirmDialog
      title={`${title} instance ${instance.id}`}
      action={(reason) => onInstance(action, instance.id, reason)}
      confirm={confirm}
      danger={action === "cancel"}
      onClose={onClose}
    >
      <p>{text}</p>
    </ConfirmDialog>
  );
}

export function MoveDialog({ instance, onClose }: Props) {
  const definition = useQuery(queries.definition(instance.type, instance.version));
  const [state, setState] = useState("");
  const [force, setForce] = useState(false);
  return (
    <ConfirmDialog
      title={`Move instance ${instance.id}`}
      action={(reason) => move(instance.id, state, instance.state, reason, force)}
      confirm="Move"
      ready={state !== ""}
      onClose={onClose}
    >
      <p>
        The instance leaves <code>{instance.state}</code> and becomes due in another state. Effects of its earlier handlers
        are not undone.
      </p>
      <label className="field">
        <span>To state</span>
        <select value={state} onChange={(event) => setState(event.target.value)}>
          <option value="" disabled>
            Choose a state
          </option>
          {definition.data?.states.map(({ name, type }) => (
            <option key={name} value={name}>
              {name} ({type})
            </option>
          ))}
        </select>
      </label>
      <ForceField what="the definition" force={force} onChange={setForce} />
    </ConfirmDialog>
  );
}

export function SignalDialog({ instance, onClose }: Props) {
  const [text, setText] = useState<SignalText>({ ...noSignal, name: instance.why.signal ?? "" });
  return (
    <ConfirmDialog
      title={`Send a signal to instance ${instance.id}`}
      action={() => signal(instance.id, text.name.trim(), payloadOf(text))}
      confirm="Send"
      withReason={false}
      ready={isComplete(text)}
      onClose={onClose}
    >
      <SignalFields signal={text} onChange={setText} />
    </ConfirmDialog>
  );
}

export function VariablesDialog({ instance, onClose }: Props) {
  const variables = useQuery(queries.variables(instance.id));
  const [edits, setEdits] = useState<Edit[]>([{ name: "", json: "", remove: false }]);
  const change = (index: number, part: Partial<Edit>) =>
    setEdits((all) => all.map((edit, at) => (at === index ? { ...edit, ...part } : edit)));
  const names = new Map(variables.data?.map((variable) => [variable.name, variable]));
  const { set, remove, faults } = edited(edits);
  return (
    <ConfirmDialog
      title={`Edit variables of instance ${instance.id}`}
      action={(reason) => editVariables(instance.id, set, remove, reason)}
      confirm="Change"
      ready={faults.every((fault) => !fault) && Object.keys(set).length + remove.length > 0}
      onClose={onClose}
    >
      <datalist id="variable-names">
        {[...names.keys()].map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      {edits.map((edit, index) => (
        <fieldset key={index} className="edit">
          <label className="field">
            <span>Variable</span>
            <input
              value={edit.name}
              list="variable-names"
              maxLength={100}
              onChange={(event) => {
                const known = names.get(event.target.value);
                change(index, { name: event.target.value, ...(known?.json && !edit.json ? { json: known.json } : {}) });
              }}
            />
          </label>
          <label className="check-label">
            <input
              type="checkbox"
              checked={edit.remove}
              onChange={(event) => change(index, { remove: event.target.checked })}
            />{" "}
            Remove
          </label>
          {!edit.remove && (
            <label className="field">
              <span>
                Value <span className="faint">JSON</span>
              </span>
              <textarea
                value={edit.json}
                spellCheck={false}
                aria-invalid={Boolean(faults[index])}
                onChange={(event) => change(index, { json: event.target.value })}
              />
            </label>
          )}
          {faults[index] && <span className="field-fault">{faults[index]}</span>}
        </fieldset>
      ))}
      <div>
        <Button look="quiet" onClick={() => setEdits((all) => [...all, { name: "", json: "", remove: false }])}>
          Add variable
        </Button>
      </div>
    </ConfirmDialog>
  );
}
