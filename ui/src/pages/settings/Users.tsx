import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import { queries } from "../../api/queries";
import type { Role, User } from "../../api/schema";
import { useSession } from "../../app/session";
import { Button } from "../../components/Button";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { EmptyState } from "../../components/EmptyState";
import { Loaded } from "../../components/Loaded";
import { Panel } from "../../components/Page";
import { Table, type Column } from "../../components/Table";
import { RelativeTime } from "../../components/Time";
import { changeRole, createUser, deleteUser } from "./actions";
import { RoleField } from "./RoleField";
import { Secret } from "./Secret";

export function Users() {
  const users = useQuery(queries.users());
  const { user: me } = useSession();
  const [adding, setAdding] = useState(false);
  const [password, setPassword] = useState<string | null>(null);
  const [changing, setChanging] = useState<User | null>(null);
  const [removing, setRemoving] = useState<User | null>(null);
  const columns: Column<User>[] = [
    {
      id: "name",
      head: "Name",
      grow: true,
      cell: ({ name }) => (
        <span>
          {name} {name === me && <span className="faint">you</span>}
        </span>
      ),
    },
    { id: "role", head: "Role", cell: ({ role }) => <span className="tag">{role}</span> },
    { id: "created", head: "Added", cell: ({ created }) => <RelativeTime at={created} /> },
    {
      id: "actions",
      head: <span className="sr-only">Actions</span>,
      align: "right",
      cell: (user) => (
        <span className="cell-buttons">
          <Button aria-label={`Change the role of ${user.name}`} onClick={() => setChanging(user)}>
            Role
          </Button>
          <Button aria-label={`Remove the user ${user.name}`} onClick={() => setRemoving(user)}>
            Remove
          </Button>
        </span>
      ),
    },
  ];
  return (
    <Panel
      title="Users"
      actions={
        <Button icon={<Plus size={14} aria-hidden="true" />} onClick={() => setAdding(true)}>
          New user
        </Button>
      }
    >
      <Loaded query={users}>
        {(all) =>
          all.length ? (
            <Table label="Users" columns={columns} rows={all} rowKey={({ name }) => name} />
          ) : (
            <EmptyState title="No users with a password">Users log in through the identity provider.</EmptyState>
          )
        }
      </Loaded>
      {adding && <NewUser onAdded={setPassword} onClose={() => setAdding(false)} />}
      {password && <Secret title="The new user's password" secret={password} onClose={() => setPassword(null)} />}
      {changing && <ChangeRole user={changing} onClose={() => setChanging(null)} />}
      {removing && (
        <ConfirmDialog
          title="Remove a user"
          confirm="Remove the user"
          danger
          withReason={false}
          action={() => deleteUser(removing.name)}
          onClose={() => setRemoving(null)}
        >
          <p>
            <b>{removing.name}</b> is logged out everywhere and cannot log in again.
          </p>
        </ConfirmDialog>
      )}
    </Panel>
  );
}

function NewUser({ onAdded, onClose }: { onAdded: (password: string) => void; onClose: () => void }) {
  const [name, setName] = useState("");
  const [role, setRole] = useState<Role>("viewer");
  return (
    <ConfirmDialog
      title="New user"
      confirm="Add the user"
      withReason={false}
      ready={name.trim() !== ""}
      action={() => createUser(name.trim(), role)}
      onDone={(answer) => onAdded(answer.password)}
      onClose={onClose}
    >
      <label className="field">
        <span>Name</span>
        <input value={name} maxLength={100} required autoFocus onChange={(event) => setName(event.target.value)} />
      </label>
      <RoleField role={role} onChange={setRole} />
    </ConfirmDialog>
  );
}

function ChangeRole({ user, onClose }: { user: User; onClose: () => void }) {
  const [role, setRole] = useState<Role>(user.role);
  return (
    <ConfirmDialog
      title={`The role of ${user.name}`}
      confirm="Change the role"
      withReason={false}
      ready={role !== user.role}
      action={() => changeRole(user.name, role)}
      onClose={onClose}
    >
      <RoleField role={role} onChange={setRole} />
      <p className="faint">{user.name} is logged out everywhere.</p>
    </ConfirmDialog>
  );
}
