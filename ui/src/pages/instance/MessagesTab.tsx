import { useQuery } from "@tanstack/react-query";
import { queries } from "../../api/queries";
import type { InboxMessage } from "../../api/schema";
import { EmptyState } from "../../components/EmptyState";
import { JsonText } from "../../components/JsonText";
import { Loaded } from "../../components/Loaded";
import { Table, type Column } from "../../components/Table";
import { RelativeTime } from "../../components/Time";

const columns: readonly Column<InboxMessage>[] = [
  { id: "at", head: "Sent", cell: ({ at }) => <RelativeTime at={at} /> },
  {
    id: "name",
    head: "Message",
    cell: ({ kind, name }) => <span className="mono">{kind === "signal" ? name : `(${kind})`}</span>,
  },
  { id: "actor", head: "By", cell: ({ actor }) => actor ?? <span className="faint">–</span> },
  {
    id: "consumed",
    head: "Consumed",
    cell: ({ consumedSeq }) =>
      consumedSeq == null ? <span className="tag warn">not yet</span> : `by entry ${consumedSeq}`,
  },
  { id: "payload", head: "Payload", grow: true, cell: ({ payload }) => <JsonText json={payload} label="Payload" /> },
];

/** The last messages to the instance, newest first. */
export function MessagesTab({ id }: { id: number }) {
  const messages = useQuery(queries.inboxMessages(id));
  return (
    <Loaded query={messages}>
      {(all) =>
        all.length === 0 ? (
          <EmptyState title="No messages" command={`millrace signal ${id} NAME --payload '{}'`}>
            A signal is kept until a handler asks for it.
          </EmptyState>
        ) : (
          <Table label="Messages" columns={columns} rows={all} rowKey={(message) => message.id} />
        )
      }
    </Loaded>
  );
}
