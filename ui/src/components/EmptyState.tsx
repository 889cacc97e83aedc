import type { ReactNode } from "react";
import { CopyButton } from "./CopyButton";

/** A message for an empty list, with the next command to run. */
export function EmptyState({ title, children, command }: { title: string; children?: ReactNode; command?: string }) {
  return (
    <div className="empty">
      <strong>{title}</strong>
      {children && <p>{children}</p>}
      {command && (
        <div className="code-line">
          <code tabIndex={0}>{command}</code>
          <CopyButton text={command} label="Copy the command" />
        </div>
      )}
    </div>
  );
}
