import { Terminal } from "lucide-react";
import { commandText, curlText, type Deed } from "../api/deeds";
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

/** The same deed for a terminal: as command and as curl. */
export function ActionHelp({ deed, open = false }: { deed: Deed; open?: boolean }) {
  const command = commandText(deed);
  return (
    <details className="action-help" open={open}>
      <summary>
        <Terminal size={13} aria-hidden="true" /> The same from a terminal
      </summary>
      {command && <Line name="Command" text={command} />}
      <Line name="curl" text={curlText(deed)} />
    </details>
  );
}
