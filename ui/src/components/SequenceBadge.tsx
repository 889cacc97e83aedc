import { Ban, CircleCheck, CirclePause, CircleDashed, CircleX, LoaderCircle, RefreshCw, RotateCcw, type LucideIcon } from "lucide-react";
import type { SequenceStatus, TaskStatus } from "../api/schema";

interface Look {
  word: string;
  meaning: string;
  /** Name of a status color. */
  colour: string;
  icon: LucideIcon;
}

const looks: Record<SequenceStatus | TaskStatus, Look> = {
  NOT_STARTED: {
    word: "Not started",
    meaning: "It has not run yet.",
    colour: "created",
    icon: CircleDashed,
  },
  IN_PROGRESS: {
    word: "In progress",
    meaning: "A task is running or about to run.",
    colour: "executing",
    icon: LoaderCircle,
  },
  COMPLETED: {
    word: "Completed",
    meaning: "All tasks of the last execution are done.",
    colour: "finished",
    icon: CircleCheck,
  },
  ERROR: {
    word: "Error, will retry",
    meaning: "A task has failed and will be retried automatically.",
    colour: "manual",
    icon: RefreshCw,
  },
  ABORTED: {
    word: "Aborted",
    meaning: "A task has failed permanently, or the execution was cancelled. The schedule does not run until an operator restarts the sequence or resumes the failed task.",
    colour: "failed",
    icon: CircleX,
  },
  RESTART: {
    word: "Restart pending",
    meaning: "It will run again from its first task.",
    colour: "paused",
    icon: RotateCcw,
  },
  TASK_INITIALIZE_ERROR: {
    word: "Task not initialized",
    meaning: "The next task cannot start: its message has not reached the broker, or no live executor has the code of the tasks.",
    colour: "failed",
    icon: Ban,
  },
};

/** Returns the meaning of a status of a sequence. */
export function sequenceMeaning(status: SequenceStatus): string {
  return looks[status].meaning;
}

const atRest: Look = {
  word: "Execution paused",
  meaning: "Its execution is paused. It continues when an operator resumes the instance.",
  colour: "paused",
  icon: CirclePause,
};

interface Props {
  status: SequenceStatus | TaskStatus;
  /** True if the execution is paused, which the status does not show. */
  paused?: boolean;
}

/** The status of a task sequence, or of one of its tasks, by icon, word and color. */
export function SequenceBadge({ status, paused = false }: Props) {
  const { word, meaning, colour, icon: Icon } = paused ? atRest : looks[status];
  return (
    <span className={`badge status-${colour}`} title={`${status}: ${meaning}`}>
      <Icon className={`status-icon status-${colour}`} size={14} aria-hidden="true" />
      {word}
    </span>
  );
}
