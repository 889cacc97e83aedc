import { useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import { useState } from "react";
import { ApiError } from "../../api/client";
import { deleteValue, keyValueQueries } from "../../api/data";
import type { KeyValue } from "../../api/schema";
import { useMay } from "../../app/session";
import { Button } from "../../components/Button";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { CopyButton } from "../../components/CopyButton";
import { isJson } from "../../components/json";
import { JsonText } from "../../components/JsonText";
import { Loaded } from "../../components/Loaded";
import { Panel } from "../../components/Page";
import { AbsoluteTime, RelativeTime } from "../../components/Time";
import { useToast } from "../../components/Toast";
import { statusLooks } from "./form";
import { ValueDialog } from "./ValueDialog";

interface Props {
  group: string;
  name: string;
  onClose: () => void;
}

/** A panel with one value in full, and buttons that change and delete it. */
export function ValuePanel({ group, name, onClose }: Props) {
  const may = useMay()("PUT /key-values/value");
  const toast = useToast();
  const value = useQuery(keyValueQueries.one(group, name));
  const [asked, setAsked] = useState<{ what: "change" | "delete"; before: KeyValue }>();
  const unknown = value.error instanceof ApiError && value.error.status === 404;
  const found = unknown ? undefined : value.data;
  return (
    <Panel
      title={name}
      actions={
        <>
          {may && found && (
            <>
              <Button onClick={() => setAsked({ what: "change", before: found })}>Change…</Button>
              <Button onClick={() => setAsked({ what: "delete", before: found })}>Delete…</Button>
            </>
          )}
          <Button look="quiet" icon={<X size={16} aria-hidden="true" />} aria-label="Close the value" onClick={onClose} />
        </>
      }
    >
      {unknown ? (
        <p className="muted">
          There is no key <code>{name}</code> in group <code>{group}</code>.
        </p>
      ) : (
        <Loaded query={value}>{(one) => <Shown value={one} />}</Loaded>
      )}
      {asked?.what === "change" && <ValueDialog group={group} before={asked.before} onClose={() => setAsked(undefined)} />}
      {asked?.what === "delete" && (
        <ConfirmDialog
          title={`Delete ${name}`}
          action={() => deleteValue(group, name, asked.before.version)}
          confirm="Delete"
          danger
          withReason={false}
          onDone={() => {
            toast(`Deleted ${name}`);
            onClose();
          }}
          onClose={() => setAsked(undefined)}
        >
          <p>Only version {asked.before.version} is deleted. If another user has changed the value since, it stays.</p>
        </ConfirmDialog>
      )}
    </Panel>
  );
}

function Shown({ value: { value, status, version, expires, created, modified } }: { value: KeyValue }) {
  return (
    <div className="key-value">
      <dl className="facts">
        <div>
          <dt>Status</dt>
          <dd>
            <span className={`tag ${statusLooks[status]}`}>{status}</span>
          </dd>
        </div>
        <div>
          <dt>Version</dt>
          <dd>{version}</dd>
        </div>
        <div>
          <dt>Modified</dt>
          <dd>
            <AbsoluteTime at={modified} />
          </dd>
        </div>
        <div>
          <dt>Created</dt>
          <dd>
            <AbsoluteTime at={created} />
          </dd>
        </div>
        <div>
          <dt>Expires</dt>
          <dd>{expires ? <RelativeTime at={expires} /> : "never"}</dd>
        </div>
      </dl>
      {isJson(value) ? (
        <JsonText json={value} label="Value" />
      ) : (
        <div className="json">
          <pre tabIndex={0} role="region" aria-label="Value">
            {value}
          </pre>
          <CopyButton text={value} label="Copy the value" />
        </div>
      )}
    </div>
  );
}
