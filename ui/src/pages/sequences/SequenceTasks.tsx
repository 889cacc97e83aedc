import { Circle, CircleCheck, CircleHelp } from "lucide-react";
import type { SequenceDetail } from "../../api/schema";
import { JsonText } from "../../components/JsonText";
import { Panel } from "../../components/Page";
import { SequenceBadge } from "../../components/SequenceBadge";
import { progressOf, type TaskProgress } from "./progress";

const looks = {
  done: { icon: CircleCheck, word: "done", look: "status-finished" },
  toCome: { icon: Circle, word: "pending", look: "faint" },
  unknown: { icon: CircleHelp, word: "unknown", look: "faint" },
};

/** The tasks in their order, with their parameters and the progress of the newest execution. */
export function SequenceTasks({ sequence }: { sequence: SequenceDetail }) {
  const progress = progressOf(sequence);
  const told = !progress.includes("unknown");
  return (
    <Panel title="Tasks">
      <ol className="sequence-tasks">
        {sequence.sequenceTasks.map(({ task, channel, parameters }, index) => (
          <li key={index}>
            <span className="sequence-tasks-number number">{index + 1}</span>
            <span className="sequence-tasks-task">
              <strong>{task}</strong>
              {channel && (
                <span className="faint" title="Channel of the task's messages">
                  {channel}
                </span>
              )}
            </span>
            {told && <Mark progress={progress[index] ?? "unknown"} sequence={sequence} />}
            {parameters && parameters !== "{}" && (
              <details className="sequence-tasks-parameters">
                <summary>Parameters</summary>
                <JsonText json={parameters} label={`Parameters of ${task}`} />
              </details>
            )}
          </li>
        ))}
      </ol>
      {sequence.parameters && sequence.parameters !== "{}" && (
        <details className="sequence-tasks-all">
          <summary>Parameters for all tasks</summary>
          <JsonText json={sequence.parameters} label="Parameters for all tasks" />
        </details>
      )}
    </Panel>
  );
}

function Mark({ progress, sequence }: { progress: TaskProgress; sequence: SequenceDetail }) {
  if (progress === "current") return <SequenceBadge status={sequence.status} paused={sequence.executionPaused} />;
  const { icon: Icon, word, look } = looks[progress];
  return (
    <span className={`badge ${look}`}>
      <Icon size={14} aria-hidden="true" />
      {word}
    </span>
  );
}
