import { desire } from "../../api/alwaysOn";
import type { AlwaysOn } from "../../api/schema";
import { useMay } from "../../app/session";
import { ConfirmDialog } from "../../components/ConfirmDialog";

/** Shows whether it shall run; asks for a reason before that changes. */
export function DesireSwitch({ workflow, onAsk }: { workflow: AlwaysOn; onAsk: (workflow: AlwaysOn) => void }) {
  const may = useMay()("PUT /always-on/{name}/desired");
  const on = workflow.desired === "on";
  return (
    <button
      type="button"
      role="switch"
      className="switch"
      aria-checked={on}
      aria-label={`${workflow.name} shall run`}
      disabled={!may}
      onClick={() => onAsk(workflow)}
    >
      <span className="switch-knob" aria-hidden="true" />
      <span className="switch-word" aria-hidden="true">
        {on ? "on" : "off"}
      </span>
    </button>
  );
}

export function DesireDialog({ workflow: { name, desired, executorId }, onClose }: { workflow: AlwaysOn; onClose: () => void }) {
  const on = desired === "off";
  return (
    <ConfirmDialog
      title={`Switch ${name} ${on ? "on" : "off"}`}
      deed={(reason) => desire(name, on ? "on" : "off", reason)}
      confirm={on ? "Switch on" : "Switch off"}
      danger={!on}
      onClose={onClose}
    >
      <p>
        {on
          ? "A node opens its trigger within seconds and goes on where it stood. This lasts over restarts."
          : `${executorId ? `Executor ${executorId} closes its trigger; an` : "An"} execution that runs goes on. Events wait where they come from. This lasts over restarts.`}
      </p>
    </ConfirmDialog>
  );
}
