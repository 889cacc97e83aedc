import { desire } from "../../api/continuous";
import type { ContinuousWorkflow } from "../../api/schema";
import { useMay } from "../../app/session";
import { ConfirmDialog } from "../../components/ConfirmDialog";

/** A switch that enables or disables a continuous workflow, after asking for a reason. */
export function DesireSwitch({ workflow, onAsk }: { workflow: ContinuousWorkflow; onAsk: (workflow: ContinuousWorkflow) => void }) {
  const may = useMay()("PUT /continuous-workflows/{name}/desired");
  const on = workflow.desired === "on";
  return (
    <button
      type="button"
      role="switch"
      className="switch"
      aria-checked={on}
      aria-label={`${workflow.name} is enabled`}
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

export function DesireDialog({ workflow: { name, desired, executorId }, onClose }: { workflow: ContinuousWorkflow; onClose: () => void }) {
  const on = desired === "off";
  return (
    <ConfirmDialog
      title={`${on ? "Enable" : "Disable"} ${name}`}
      action={(reason) => desire(name, on ? "on" : "off", reason)}
      confirm={on ? "Enable" : "Disable"}
      danger={!on}
      onClose={onClose}
    >
      <p>
        {on
          ? "An executor opens its trigger within seconds and continues at the stored position. It stays enabled after restarts."
          : `${executorId ? `Executor ${executorId} closes its trigger. ` : ""}A running execution continues. Events wait at their source. It stays disabled after restarts.`}
      </p>
    </ConfirmDialog>
  );
}
