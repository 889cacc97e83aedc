import {
  Ban,
  CircleCheck,
  CircleDashed,
  CircleDot,
  CirclePause,
  CircleX,
  Hand,
  LoaderCircle,
  type LucideIcon,
} from "lucide-react";
import type { Status } from "../api/schema";

export const statuses: readonly Status[] = [
  "created",
  "inProgress",
  "executing",
  "paused",
  "manual",
  "finished",
  "failed",
  "cancelled",
];

export const statusWords: Record<Status, string> = {
  created: "Created",
  inProgress: "In progress",
  executing: "Executing",
  paused: "Paused",
  manual: "Manual",
  finished: "Finished",
  failed: "Failed",
  cancelled: "Cancelled",
};

const icons: Record<Status, LucideIcon> = {
  created: CircleDashed,
  inProgress: CircleDot,
  executing: LoaderCircle,
  paused: CirclePause,
  manual: Hand,
  finished: CircleCheck,
  failed: CircleX,
  cancelled: Ban,
};

export function StatusIcon({ status, size = 14 }: { status: Status; size?: number }) {
  const Icon = icons[status];
  return <Icon className={`status-icon status-${status}`} size={size} aria-hidden="true" />;
}

/** A status by icon, word and color. */
export function StatusBadge({ status }: { status: Status }) {
  return (
    <span className={`badge status-${status}`}>
      <StatusIcon status={status} />
      {statusWords[status]}
    </span>
  );
}
