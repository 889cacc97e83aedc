import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import { queries } from "../../api/queries";
import type { ApiKey, Role } from "../../api/schema";
import { Button } from "../../components/Button";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { EmptyState } from "../../components/EmptyState";
import { Loaded } from "../../components/Loaded";
import { Panel } from "../../components/Page";
import { Table, type Column } from "../../components/Table";
import { RelativeTime } from "../../components/Time";
import { createKey, deleteKey } from "./actions";
import { RoleField } from "./RoleField";
import { Secret } from "./Secret";

export function Keys() {
  const keys = useQuery(queries.keys());
  const [making, setMaking] = useState(false);
  const [made, setMade] = useState<string | null>(null);
  const [ending, setEnding] = useState<ApiKey | null>(null);
  const columns: Column<ApiKey>[] = [
    { id: "name", head: "Name", grow: true, cell: ({ name }) => name },
    { id: "prefix", head: "Starts with", cell: ({ prefix }) => <code>{prefix}…</code> },
    { id: "role", head: "Role", cell: ({ role }) => <span className="tag">{role}</span> },
    { id: "owner", head: "Owner", cell: ({ owner }) => owner ?? <span className="faint">none</span> },
    { id: "created", head: "Created", cell: ({ created }) => <RelativeTime at={created} /> },
    { id: "used", head: "Last used", cell: ({ lastUsed }) => <RelativeTime at={lastUsed} /> },
    {
      id: "expires",
      head: "Expires",
      cell: ({ expires }) => (expires ? <RelativeTime at={expires} /> : <span className="faint">never</span>),
    },
    {
      id: "end",
      head: <span className="sr-only">Revoke</span>,
      align: "right",
      cell: (key) => (
        <Button aria-label={`Revoke ${key.name}`} onClick={() => setEnding(key)}>
          Revoke
        </Button>
      ),
    },
  ];
  return (
    <Panel
      title="API keys"
      actions={
        <Button icon={<Plus size={14} aria-hidden="true" />} onClick={() => setMaking(true)}>
          New key
        </Button>
      }
    >
      <Loaded query={keys}>
        {(all) =>
          all.length ? (
            <Table label="API keys" columns={columns} rows={all} rowKey={({ id }) => id} />
          ) : (
            <EmptyState title="No API keys">Programs and the command line log in with an API key.</EmptyState>
          )
        }
      </Loaded>
      {making && <NewKey onMade={setMade} onClose={() => setMaking(false)} />}
      {made && <Secret title="New API key created" secret={made} onClose={() => setMade(null)} />}
      {ending && (
        <ConfirmDialog
          title="Revoke API key"
          confirm="Revoke"
          danger
          withReason={false}
          action={() => deleteKey(ending.id)}
          onClose={() => setEnding(null)}
        >
          <p>
            Requests with the key <b>{ending.name}</b> are rejected from now on.
          </p>
        </ConfirmDialog>
      )}
    </Panel>
  );
}

function NewKey({ onMade, onClose }: { onMade: (key: string) => void; onClose: () => void }) {
  const [name, setName] = useState("");
  const [role, setRole] = useState<Role>("operator");
  const [days, setDays] = useState("90");
  return (
    <ConfirmDialog
      title="New API key"
      confirm="Create key"
      withReason={false}
      ready={name.trim() !== ""}
      action={() => createKey(name.trim(), role, days ? Number(days) : null)}
      onDone={(answer) => onMade(answer.key)}
      onClose={onClose}
    >
      <label className="field">
        <span>Name</span>
        <input value={name} maxLength={100} required autoFocus onChange={(event) => setName(event.target.value)} />
      </label>
      <RoleField role={role} onChange={setRole} />
      <label className="field">
        <span>
          Days until expiry <span className="faint">empty for 365</span>
        </span>
        <input type="number" min={1} max={3650} value={days} onChange={(event) => setDays(event.target.value)} />
      </label>
    </ConfirmDialog>
  );
}
