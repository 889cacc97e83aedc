import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { maintenanceQueries, subscribe, unsubscribe } from "../../api/maintenance";
import type { Subscription } from "../../api/schema";
import { useMay } from "../../app/session";
import { Button } from "../../components/Button";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { EmptyState } from "../../components/EmptyState";
import { Field } from "../../components/Field";
import { Loaded } from "../../components/Loaded";
import { Panel } from "../../components/Page";
import { Table, type Column } from "../../components/Table";
import { RelativeTime } from "../../components/Time";
import { namesOf } from "./plan";

const none = <span className="faint">–</span>;
const addressOf = ({ mail, webhook }: Subscription) => mail ?? webhook ?? "";

/** Who is told of maintenance; only for those who may change it. */
export function Subscribers() {
  const may = useMay();
  const subscriptions = useQuery(maintenanceQueries.subscriptions());
  const [adding, setAdding] = useState(false);
  const [removing, setRemoving] = useState<Subscription>();
  const columns: Column<Subscription>[] = [
    { id: "address", head: "Address", grow: true, cell: addressOf },
    { id: "affected", head: "Of what", cell: ({ affected }) => affected.join(", ") || "everything" },
    { id: "by", head: "Added by", cell: ({ by }) => by ?? <span className="faint">itself</span> },
    { id: "created", head: "Since", cell: ({ created }) => <RelativeTime at={created} /> },
    {
      id: "actions",
      head: <span className="sr-only">Actions</span>,
      align: "right",
      cell: (one) =>
        may("DELETE /subscriptions/{id}") ? (
          <Button aria-label={`Tell ${addressOf(one)} no more`} onClick={() => setRemoving(one)}>
            Remove
          </Button>
        ) : (
          none
        ),
    },
  ];
  return (
    <Panel
      title="Who is told"
      actions={may("POST /subscriptions") && <Button onClick={() => setAdding(true)}>Add an address</Button>}
    >
      <Loaded query={subscriptions}>
        {({ items, next }) =>
          items.length ? (
            <>
              <Table label="Who is told" columns={columns} rows={items} rowKey={({ id }) => id} />
              {next && <p className="muted maintenance-more">The newest {items.length}; there are more.</p>}
            </>
          ) : (
            <EmptyState title="Nobody has subscribed yet">
              Strangers subscribe by the status page, when the server sends mail; addresses and webhooks are added here.
            </EmptyState>
          )
        }
      </Loaded>
      {adding && <AddDialog onClose={() => setAdding(false)} />}
      {removing && (
        <ConfirmDialog
          title={`Tell ${addressOf(removing)} no more`}
          action={() => unsubscribe(removing.id)}
          confirm="Remove it"
          danger
          withReason={false}
          onClose={() => setRemoving(undefined)}
        >
          <p>What was said is said; what is still on its way to it is not sent.</p>
        </ConfirmDialog>
      )}
    </Panel>
  );
}

function AddDialog({ onClose }: { onClose: () => void }) {
  const [address, setAddress] = useState("");
  const [affected, setAffected] = useState("");
  const kind = /^https?:/.test(address.trim()) ? "webhook" : "mail";
  const valid = kind === "webhook" || /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(address.trim());
  return (
    <ConfirmDialog
      title="Add an address"
      action={() => subscribe(kind, address.trim(), namesOf(affected))}
      confirm="Add it"
      withReason={false}
      ready={valid}
      onClose={onClose}
    >
      <p>It is not asked whether it wants to be told; you answer for it.</p>
      <Field
        label="Address"
        hint="of mail, or the URL of a webhook"
        fault={address && !valid ? "Expected ann@example.org or https://…" : null}
      >
        {(control) => (
          <input
            {...control}
            value={address}
            maxLength={200}
            autoComplete="off"
            spellCheck={false}
            onChange={({ target }) => setAddress(target.value)}
          />
        )}
      </Field>
      <Field label="Only of" hint="names with commas; empty for everything">
        {(control) => (
          <input {...control} value={affected} autoComplete="off" onChange={({ target }) => setAffected(target.value)} />
        )}
      </Field>
    </ConfirmDialog>
  );
}
