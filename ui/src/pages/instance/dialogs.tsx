import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { editVariables, move, onInstance, signal } from "../../api/actions";
import { queries } from "../../api/queries";
import type { InstanceDetail } from "../../api/schema";
import { Button } from "../../components/Button";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { isComplete, noSignal, payloadOf, SignalFields, type SignalText } from "../../components/SignalFields";
import { edited, type Edit } from "./edit";

interface Props {
  instance: InstanceDetail;
  onClose: () => void;
}

const simple = {
  wake: { title: "Wake", text: "It becomes due now and continues where it is.", confirm: "Wake" },
  retry: { title: "Retry", text: "Runs its state again now, with fresh attempts.", confirm: "Retry" },
  pause: { title: "Pause", text: "It will not run until it is resumed. A step that runs now may end.", confirm: "Pause" },
  resume: { title: "Resume", text: "Ends the pause.", confirm: "Resume" },
  cancel: {
    title: "Cancel",
    text: "Ends it as cancelled. A step that runs now is told to stop, and its answer is ignored. This cannot be undone.",
    confirm: "Cancel it",
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
        It leaves <code>{instance.state}</code> and becomes due in another state. What its handlers did before is not
        undone.
      </p>
      <label className="field">
        <span>To state</span>
        <select value={state} onChange={(event) => setState(event.target.value)}>
          <option value="" disabled>
            Choose one
          </option>
          {definition.data?.states.map(({ name, type }) => (
            <option key={name} value={name}>
              {name} ({type})
            </option>
          ))}
        </select>
      </label>
      <label className="check-label">
        <input type="checkbox" checked={force} onChange={({ target }) => setForce(target.checked)} />
        Force it: also where its definition does not permit that, and while its children run
      </label>
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
            Remove it
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
          Another variable
        </Button>
      </div>
    </ConfirmDialog>
  );
}
