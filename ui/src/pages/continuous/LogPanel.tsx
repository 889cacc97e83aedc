import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { continuousQueries } from "../../api/continuous";
import type { ContinuousLogEntry } from "../../api/schema";
import { Button } from "../../components/Button";
import { Loaded } from "../../components/Loaded";
import { Panel } from "../../components/Page";
import { Table, type Column } from "../../components/Table";
import { AbsoluteTime } from "../../components/Time";
import { detailText, logEntryWords, reasonText } from "./words";

const limit = 50;
const none = <span className="faint">–</span>;

const columns: Column<ContinuousLogEntry>[] = [
  { id: "at", head: "Time", cell: ({ at }) => <AbsoluteTime at={at} /> },
  { id: "type", head: "What happened", cell: ({ type }) => <span className={`tag ${looks[type] ?? ""}`}>{logEntryWords[type]}</span> },
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

const looks: Partial<Record<ContinuousLogEntry["type"], string>> = { failed: "bad", lost: "bad", crash_loop: "bad" };

/** The log of a continuous workflow, newest first. */
export function LogPanel({ name }: { name: string }) {
  const [before, setBefore] = useState<number>();
  const log = useQuery(continuousQueries.log(name, before, limit));
  return (
    <Panel
      title="Log"
      actions={before !== undefined && <Button onClick={() => setBefore(undefined)}>Newest</Button>}
    >
      <Loaded query={log}>
        {(all) => (
          <>
            {all.length ? (
              <Table label="Log" columns={columns} rows={all} rowKey={({ id }) => id} />
            ) : (
              <p className="muted">{before === undefined ? "Its log is empty." : "There are no older entries."}</p>
            )}
            {all.length === limit && (
              <p>
                <Button onClick={() => setBefore(all.at(-1)?.id)}>Older entries</Button>
              </p>
            )}
          </>
        )}
      </Loaded>
    </Panel>
  );
}
