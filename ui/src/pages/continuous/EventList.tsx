import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { continuousQueries } from "../../api/continuous";
import type { ContinuousEvent } from "../../api/schema";
import { Button } from "../../components/Button";
import { Loaded } from "../../components/Loaded";
import { Panel } from "../../components/Page";
import { Table, type Column } from "../../components/Table";
import { AbsoluteTime } from "../../components/Time";
import { detailText, eventWords, reasonText } from "./words";

const limit = 50;
const none = <span className="faint">–</span>;

const columns: Column<ContinuousEvent>[] = [
  { id: "at", head: "Time", cell: ({ at }) => <AbsoluteTime at={at} /> },
  { id: "type", head: "Event", cell: ({ type }) => <span className={`tag ${looks[type] ?? ""}`}>{eventWords[type]}</span> },
  { id: "reason", head: "Reason", cell: ({ reason }) => (reason ? <span title={reason}>{reasonText(reason)}</span> : none) },
  { id: "executor", head: "Executor", align: "right", cell: ({ executorId }) => executorId ?? none },
  { id: "generation", head: "Run", align: "right", cell: ({ generation }) => generation || none },
  {
    id: "detail",
    head: "Detail",
    grow: true,
    cell: ({ detail }) => (detail ? <span className="muted always-detail">{detailText(detail)}</span> : none),
  },
];

const looks: Partial<Record<ContinuousEvent["type"], string>> = { failed: "bad", lost: "bad", crash_loop: "bad" };

/** The events of a continuous workflow, newest first. */
export function EventList({ name }: { name: string }) {
  const [before, setBefore] = useState<number>();
  const events = useQuery(continuousQueries.events(name, before, limit));
  return (
    <Panel
      title="Events"
      actions={before !== undefined && <Button onClick={() => setBefore(undefined)}>Newest</Button>}
    >
      <Loaded query={events}>
        {(all) => (
          <>
            {all.length ? (
              <Table label="Events" columns={columns} rows={all} rowKey={({ id }) => id} />
            ) : (
              <p className="muted">{before === undefined ? "It has no events yet." : "There are no older events."}</p>
            )}
            {all.length === limit && (
              <p>
                <Button onClick={() => setBefore(all.at(-1)?.id)}>Older events</Button>
              </p>
            )}
          </>
        )}
      </Loaded>
    </Panel>
  );
}
