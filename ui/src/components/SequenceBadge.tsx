import { Ban, CircleCheck, CirclePause, CircleDashed, CircleX, LoaderCircle, RefreshCw, RotateCcw, type LucideIcon } from "lucide-react";
import type { SequenceStatus, TaskStatus } from "../api/schema";

interface Look {
  word: string;
  meaning: string;
  /** One of the colours of a status. */
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
    meaning: "A task runs, or is about to.",
    colour: "executing",
    icon: LoaderCircle,
  },
  COMPLETED: {
    word: "Completed",
    meaning: "All tasks of the last run are done.",
    colour: "finished",
    icon: CircleCheck,
  },
  ERROR: {
    word: "Error, to be retried",
    meaning: "A task has failed and will be tried again by itself.",
    colour: "manual",
    icon: RefreshCw,
  },
  ABORTED: {
    word: "Aborted",
    meaning: "A task has failed for good, or the run was cancelled. Its schedule rests until somebody restarts it or resumes the failed task.",
    colour: "failed",
    icon: CircleX,
  },
  RESTART: {
    word: "To be restarted",
    meaning: "It will run again from its first task.",
    colour: "paused",
    icon: RotateCcw,
  },
  TASK_INITIALIZE_ERROR: {
    word: "Task not initialized",
    meaning: "The next task cannot start: its message is not with the broker, or no live executor has the code of the tasks.",
    colour: "failed",
    icon: Ban,
  },
};

/** What a status of a sequence means. */
export function sequenceMeaning(status: SequenceStatus): string {
  return looks[status].meaning;
}

const atRest: Look = {
  word: "Execution paused",
  meaning: "Its execution is paused: it goes on when somebody resumes that instance.",
  colour: "paused",
  icon: CirclePause,
};

interface Props {
  status: SequenceStatus | TaskStatus;
  /** True when the execution is paused, which the status does not tell. */
  paused?: boolean;
}

/** The status of a task sequence, or of one of its tasks, by icon, word and colour. */
export function SequenceBadge({ status, paused = false }: Props) {
  const { word, meaning, colour, icon: Icon } = paused ? atRest : looks[status];
  return (
    <span className={`badge status-${colour}`} title={`${status}: ${meaning}`}>
      <Icon className={`status-icon status-${colour}`} size={14} aria-hidden="true" />
      {word}
    </span>
  );
}
