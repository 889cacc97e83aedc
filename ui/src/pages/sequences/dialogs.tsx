import { Link, useNavigate } from "@tanstack/react-router";
import { useId, useState } from "react";
import { onInstance } from "../../api/deeds";
import type { SequenceDetail } from "../../api/schema";
import { onSequence, removeSequence, runSequence, type SimpleSequenceDeed } from "../../api/sequenceDeeds";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { compact, objectFault } from "../../components/json";
import { useToast } from "../../components/Toast";
import type { SequenceDeedName } from "./actions";
import { BackfillDialog } from "./BackfillDialog";

interface Props {
  sequence: SequenceDetail;
  onClose: () => void;
}

const simple: Record<SimpleSequenceDeed, { title: string; text: string; confirm: string }> = {
  activate: { title: "Activate", text: "Its schedule runs from now on.", confirm: "Activate" },
  deactivate: {
    title: "Deactivate",
    text: "Nothing begins any more unless somebody runs it by hand. What runs now goes on.",
    confirm: "Deactivate",
  },
  pause: {
    title: "Pause",
    text: "Its schedule rests until it is resumed. What runs now goes on. Slots that are missed meanwhile are dealt with as its misfire policy says.",
    confirm: "Pause",
  },
  resume: { title: "Resume", text: "Ends the pause.", confirm: "Resume" },
  "run-immediately": {
    title: "Run immediately",
    text: "Activates it and has it run before its time, as soon as an execution that runs now has ended.",
    confirm: "Run immediately",
  },
  restart: {
    title: "Restart",
    text: "It runs again from its first task, for the same window. To repeat only the task that failed, resume that instead.",
    confirm: "Restart",
  },
};

/** The dialog of a deed. */
export function SequenceDialog({ deed, ...props }: Props & { deed: SequenceDeedName }) {
  switch (deed) {
    case "run":
      return <RunDialog {...props} />;
    case "backfill":
      return <BackfillDialog {...props} />;
    case "remove":
      return <RemoveDialog {...props} />;
    case "resume-task":
      return <ResumeTaskDialog {...props} />;
    default:
      return <SimpleDialog {...props} action={deed} />;
  }
}

function SimpleDialog({ sequence, action, onClose }: Props & { action: SimpleSequenceDeed }) {
  const { title, text, confirm } = simple[action];
  return (
    <ConfirmDialog
      title={`${title} ${sequence.workflowId}`}
      deed={(reason) => onSequence(action, sequence.workflowId, reason)}
      confirm={confirm}
      onClose={onClose}
    >
      <p>{text}</p>
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
      title={`Run ${sequence.workflowId} now`}
      deed={(reason) => runSequence(sequence.workflowId, fault ? "" : compact(parameters), reason)}
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
      <p>It runs for its last complete window, whether it is active or not.</p>
      <div className="field">
        <label className="field">
          <span>
            Parameters <span className="faint">a JSON object, may be left out; they come before those of the workflow</span>
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
  const { workflowId, executionId, currentTask } = sequence;
  return (
    <ConfirmDialog
      title={`Resume the failed task of ${workflowId}`}
      deed={(reason) => onInstance("retry", executionId ?? 0, reason)}
      confirm="Resume"
      ready={Boolean(executionId)}
      onClose={onClose}
    >
      <p>
        {currentTask ? <b>{currentTask}</b> : "The task that failed"} runs again with fresh attempts, and the tasks after it
        follow. Those before it are not repeated.
      </p>
    </ConfirmDialog>
  );
}

function RemoveDialog({ sequence, onClose }: Props) {
  const navigate = useNavigate();
  return (
    <ConfirmDialog
      title={`Remove ${sequence.workflowId}`}
      deed={() => removeSequence(sequence.workflowId)}
      confirm="Remove it"
      danger
      withReason={false}
      onDone={() => void navigate({ to: "/sequences" })}
      onClose={onClose}
    >
      <p>
        Its schedule and its list of fires go. Its executions stay among the instances. It is refused while an execution
        runs.
      </p>
    </ConfirmDialog>
  );
}
