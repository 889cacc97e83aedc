import { enable } from "../../api/continuous";
import type { ContinuousWorkflow } from "../../api/schema";
import { useMay } from "../../app/session";
import { ConfirmDialog } from "../../components/ConfirmDialog";

/** A switch that enables or disables a continuous workflow, after asking for a reason. */
export function EnabledSwitch({ workflow, onAsk }: { workflow: ContinuousWorkflow; onAsk: (workflow: ContinuousWorkflow) => void }) {
  const may = useMay()("POST /continuous-workflows/{name}/enable");
  return (
    <button
      type="button"
      role="switch"
      className="switch"
      aria-checked={workflow.enabled}
      aria-label={`${workflow.name} is enabled`}
      disabled={!may}
      onClick={() => onAsk(workflow)}
    >
      <span className="switch-knob" aria-hidden="true" />
      <span className="switch-word" aria-hidden="true">
        {workflow.enabled ? "yes" : "no"}
      </span>
    </button>
  );
}

export function EnableDialog({ workflow: { name, enabled, executorId }, onClose }: { workflow: ContinuousWorkflow; onClose: () => void }) {
  const verb = enabled ? "Disable" : "Enable";
  return (
    <ConfirmDialog
      title={`${verb} ${name}`}
      action={(reason) => enable(name, !enabled, reason)}
      confirm={verb}
      danger={enabled}
      onClose={onClose}
    >
      <p>
        {!enabled
          ? "An executor opens its trigger within seconds and continues at the stored position. It stays enabled after restarts."
          : `${executorId ? `Executor ${executorId} closes its trigger. ` : ""}A running execution continues. Events wait at their source. It stays disabled after restarts.`}
      </p>
    </ConfirmDialog>
  );
}
