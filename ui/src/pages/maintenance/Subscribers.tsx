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

/** The panel of subscribers to maintenance notifications, for users who may change them. */
export function Subscribers() {
  const may = useMay();
  const subscriptions = useQuery(maintenanceQueries.subscriptions());
  const [adding, setAdding] = useState(false);
  const [removing, setRemoving] = useState<Subscription>();
  const columns: Column<Subscription>[] = [
    { id: "address", head: "Address", grow: true, cell: addressOf },
    { id: "affected", head: "Affected", cell: ({ affected }) => affected.join(", ") || "everything" },
    { id: "by", head: "Added by", cell: ({ by }) => by ?? <span className="faint">the subscriber</span> },
    { id: "created", head: "Since", cell: ({ created }) => <RelativeTime at={created} /> },
    {
      id: "actions",
      head: <span className="sr-only">Actions</span>,
      align: "right",
      cell: (one) =>
        may("DELETE /subscriptions/{id}") ? (
          <Button aria-label={`Remove ${addressOf(one)}`} onClick={() => setRemoving(one)}>
            Remove
          </Button>
        ) : (
          none
        ),
    },
  ];
  return (
    <Panel
      title="Subscribers"
      actions={may("POST /subscriptions") && <Button onClick={() => setAdding(true)}>Add address</Button>}
    >
      <Loaded query={subscriptions}>
        {({ items, next }) =>
          items.length ? (
            <>
              <Table label="Subscribers" columns={columns} rows={items} rowKey={({ id }) => id} />
              {next && <p className="muted maintenance-more">The newest {items.length}; there are more.</p>}
            </>
          ) : (
            <EmptyState title="No subscribers yet">
              Visitors subscribe on the status page if the server sends mail. Addresses and webhooks can be added here.
            </EmptyState>
          )
        }
      </Loaded>
      {adding && <AddDialog onClose={() => setAdding(false)} />}
      {removing && (
        <ConfirmDialog
          title={`Remove ${addressOf(removing)}`}
          action={() => unsubscribe(removing.id)}
          confirm="Remove"
          danger
          withReason={false}
          onClose={() => setRemoving(undefined)}
        >
          <p>The address receives no further notifications. Notifications that are not yet sent are dropped.</p>
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
      title="Add address"
      action={() => subscribe(kind, address.trim(), namesOf(affected))}
      confirm="Add"
      withReason={false}
      ready={valid}
      onClose={onClose}
    >
      <p>The address is not asked for confirmation. Make sure that its owner agrees.</p>
      <Field
        label="Address"
        hint="a mail address, or the URL of a webhook"
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
      <Field label="Only for" hint="names, separated by commas; empty for everything">
        {(control) => (
          <input {...control} value={affected} autoComplete="off" onChange={({ target }) => setAffected(target.value)} />
        )}
      </Field>
    </ConfirmDialog>
  );
}
