import { Plus, X } from "lucide-react";
import { useState } from "react";
import { addTaskType, removeTaskType } from "../../api/taskActions";
import { useMay } from "../../app/session";
import { Button } from "../../components/Button";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { Field } from "../../components/Field";
import { Panel } from "../../components/Page";

/** The panel of sequence types; unused types can be removed. */
export function TypesPanel({ types, used }: { types: readonly string[]; used: ReadonlySet<string> }) {
  const may = useMay();
  const [adding, setAdding] = useState(false);
  const [removing, setRemoving] = useState<string>();
  return (
    <Panel
      title="Sequence types"
      actions={
        may("POST /task-types") && (
          <Button icon={<Plus size={14} aria-hidden="true" />} onClick={() => setAdding(true)}>
            New type
          </Button>
        )
      }
    >
      <ul className="task-types">
        {types.map((type) => (
          <li key={type} className="tag">
            {type}
            {may("DELETE /task-types/{type}") && !used.has(type) && (
              <button type="button" className="task-type-end" aria-label={`Remove the type ${type}`} onClick={() => setRemoving(type)}>
                <X size={12} aria-hidden="true" />
              </button>
            )}
          </li>
        ))}
        {types.length === 0 && <li className="muted">No types yet.</li>}
      </ul>
      {adding && <NewType onClose={() => setAdding(false)} />}
      {removing && (
        <ConfirmDialog
          title={`Remove the type ${removing}`}
          confirm="Remove"
          danger
          withReason={false}
          action={() => removeTaskType(removing)}
          onClose={() => setRemoving(undefined)}
        >
          <p>A type that a task or a sequence has cannot be removed.</p>
        </ConfirmDialog>
      )}
    </Panel>
  );
}

function NewType({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState("");
  const valid = /^[A-Za-z0-9][\w.-]{0,79}$/.test(name.trim());
  return (
    <ConfirmDialog
      title="New sequence type"
      confirm="Add the type"
      withReason={false}
      ready={valid}
      action={() => addTaskType(name.trim())}
      onClose={onClose}
    >
      <Field label="Name" fault={name && !valid ? "Expected a letter or digit, then letters, digits, '_', '.' or '-'." : null}>
        {(control) => (
          <input {...control} value={name} maxLength={80} autoComplete="off" onChange={({ target }) => setName(target.value)} />
        )}
      </Field>
    </ConfirmDialog>
  );
}
