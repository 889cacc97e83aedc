import { Terminal } from "lucide-react";
import { commandText, curlText, type Action } from "../api/actions";
import { CopyButton } from "./CopyButton";

function Line({ name, text }: { name: string; text: string }) {
  return (
    <div className="code-line">
      <span className="code-line-name">{name}</span>
      <code tabIndex={0}>{text}</code>
      <CopyButton text={text} label={`Copy for ${name}`} />
    </div>
  );
}

/** The same action for a terminal, as a command and as a curl call. */
export function ActionHelp({ action, open = false }: { action: Action; open?: boolean }) {
  const command = commandText(action);
  return (
    <details className="action-help" open={open}>
      <summary>
        <Terminal size={13} aria-hidden="true" /> The same from a terminal
      </summary>
      {command && <Line name="Command" text={command} />}
      <Line name="curl" text={curlText(action)} />
    </details>
  );
}
