import { Link, useNavigate } from "@tanstack/react-router";
import { useId, useState } from "react";
import { serverNow } from "../../api/client";
import { onInstance } from "../../api/actions";
import type { SequenceDetail } from "../../api/schema";
import { onSequence, removeSequence, runSequence, type SimpleSequenceAction } from "../../api/sequenceActions";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { compact, objectFault } from "../../components/json";
import { useToast } from "../../components/Toast";
import type { SequenceActionName } from "./actions";
import { BackfillDialog } from "./BackfillDialog";
import { actionText, missedPolicy, type TextAction } from "./words";

interface Props {
  sequence: SequenceDetail;
  onClose: () => void;
}

const verbs: Record<SimpleSequenceAction, string> = {
  activate: "Activate",
  deactivate: "Deactivate",
  pause: "Pause",
  resume: "Resume",
  "request-run": "Request a run",
  restart: "Restart",
};

/** The description of an action's effect on the sequence in its current state. */
function Text({ action, sequence }: { action: TextAction; sequence: SequenceDetail }) {
  return <p>{actionText(action, { ...sequence, misfire: missedPolicy(sequence.schedule) }, serverNow())}</p>;
}

/** The dialog of an action. */
export function SequenceDialog({ action, ...props }: Props & { action: SequenceActionName }) {
  switch (action) {
    case "run":
      return <RunDialog {...props} />;
    case "backfill":
      return <BackfillDialog {...props} />;
    case "remove":
      return <RemoveDialog {...props} />;
    case "resume-task":
      return <ResumeTaskDialog {...props} />;
    default:
      return <SimpleDialog {...props} action={action} />;
  }
}

function SimpleDialog({ sequence, action, onClose }: Props & { action: SimpleSequenceAction }) {
  return (
    <ConfirmDialog
      title={`${verbs[action]} ${sequence.sequenceId}`}
      action={(reason) => onSequence(action, sequence.sequenceId, reason)}
      confirm={verbs[action]}
      onClose={onClose}
    >
      <Text action={action} sequence={sequence} />
    </ConfirmDialog>
  );
}

function RunDialog({ sequence, onClose }: Props) {
  const toast = useToast();
  const ids = useId();
  const [parameters, setParameters] = useState("");
  const fault = parameters.trim() ? objectFault(parameters) : null;
  return (
    <ConfirmDialog
      title={`Run ${sequence.sequenceId} now`}
      action={(reason) => runSequence(sequence.sequenceId, fault ? "" : compact(parameters), reason)}
      confirm="Run"
      ready={!fault}
      onDone={({ id }) =>
        toast(
          <>
            Started{" "}
            <Link to="/instances/$id" params={{ id }}>
              execution {id}
            </Link>
          </>,
        )
      }
      onClose={onClose}
    >
      <Text action="run" sequence={sequence} />
      <div className="field">
        <label className="field">
          <span>
            Parameters <span className="faint">a JSON object, optional; overrides the parameters of the sequence</span>
          </span>
          <textarea
            value={parameters}
            placeholder="{}"
            spellCheck={false}
            aria-invalid={Boolean(fault)}
            aria-describedby={fault ? `${ids}fault` : undefined}
            onChange={(event) => setParameters(event.target.value)}
          />
        </label>
        {fault && (
          <div className="field-fault" id={`${ids}fault`}>
            {fault}
          </div>
        )}
      </div>
    </ConfirmDialog>
  );
}

function ResumeTaskDialog({ sequence, onClose }: Props) {
  const { sequenceId, executionId, currentTask } = sequence;
  return (
    <ConfirmDialog
      title={`Resume failed task of ${sequenceId}`}
      action={(reason) => onInstance("retry", executionId ?? 0, reason)}
      confirm="Resume"
      ready={Boolean(executionId)}
      onClose={onClose}
    >
      <p>
        {currentTask ? <b>{currentTask}</b> : "The task that failed"} runs again with fresh attempts, followed by the
        tasks after it. The tasks before it are not repeated.
      </p>
    </ConfirmDialog>
  );
}

function RemoveDialog({ sequence, onClose }: Props) {
  const navigate = useNavigate();
  return (
    <ConfirmDialog
      title={`Remove ${sequence.sequenceId}`}
      action={() => removeSequence(sequence.sequenceId)}
      confirm="Remove"
      danger
      withReason={false}
      onDone={() => void navigate({ to: "/sequences" })}
      onClose={onClose}
    >
      <p>
        Removes the schedule and its list of slots. Its executions remain as instances. A sequence with a running execution
        cannot be removed.
        {sequence.origin && ` The next server start registers the sequence from ${sequence.origin} again.`}
      </p>
    </ConfirmDialog>
  );
}
