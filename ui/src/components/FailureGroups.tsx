import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { RotateCcw } from "lucide-react";
import { useState } from "react";
import { api } from "../api/client";
import { retryGroup } from "../api/actions";
import type { FailureGroup } from "../api/schema";
import { useMay } from "../app/session";
import { BulkProgress } from "./BulkProgress";
import { Button } from "./Button";
import { ConfirmDialog } from "./ConfirmDialog";
import { EmptyState } from "./EmptyState";
import { cappedText, countText, instancesText } from "./number";
import { shortReason } from "./reason";
import { Table, type Column } from "./Table";
import { RelativeTime } from "./Time";

const columns: Column<FailureGroup>[] = [
  {
    id: "count",
    head: "Count",
    align: "right",
    cell: ({ count, fingerprint }) => (
      <Link to="/instances" search={{ failure: fingerprint }} className="count-link">
        {countText(count)}
      </Link>
    ),
  },
  {
    id: "where",
    head: "Failed in",
    cell: ({ type, state }) => (
      <Link to="/definitions/$type" params={{ type }} className="cut" title={`${type} / ${state}`}>
        {type} / {state}
      </Link>
    ),
  },
  {
    id: "reason",
    head: "Latest reason",
    grow: true,
    cell: ({ reason, newestId }) => (
      <Link to="/instances/$id" params={{ id: newestId }} className="reason" title={reason ?? undefined}>
        {reason ? shortReason(reason) : "no reason given"}
      </Link>
    ),
  },
  { id: "first", head: "First", cell: ({ first }) => <RelativeTime at={first} /> },
  { id: "last", head: "Last", cell: ({ last }) => <RelativeTime at={last} /> },
];

/** A table of failure groups; a user with the permission can retry a group and follow its progress. */
export function FailureGroups({ groups }: { groups: FailureGroup[] }) {
  const may = useMay();
  const [asked, setAsked] = useState<FailureGroup | null>(null);
  const [runs, setRuns] = useState<number[]>([]);
  const withRetry: Column<FailureGroup>[] = may("POST /failures/{fingerprint}/retry")
    ? [
        ...columns,
        {
          id: "retry",
          head: <span className="sr-only">Retry</span>,
          align: "right",
          cell: (group) => (
            <Button icon={<RotateCcw size={13} aria-hidden="true" />} onClick={() => setAsked(group)}>
              Retry group
            </Button>
          ),
        },
      ]
    : columns;
  return (
    <>
      {runs.map((id) => (
        <BulkProgress key={id} id={id} onDismiss={() => setRuns((all) => all.filter((one) => one !== id))} />
      ))}
      {groups.length ? (
        <Table label="Failure groups" columns={withRetry} rows={groups} rowKey={({ fingerprint }) => fingerprint} />
      ) : (
        <EmptyState title="No failures">Failed instances appear here, grouped by cause.</EmptyState>
      )}
      {asked && (
        <RetryGroup
          group={asked}
          onBegun={(id) => setRuns((all) => [id, ...all])}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  );
}

function RetryGroup({
  group,
  onBegun,
  onClose,
}: {
  group: FailureGroup;
  onBegun: (id: number) => void;
  onClose: () => void;
}) {
  const { fingerprint, type, state, reason } = group;
  const preview = useQuery({
    queryKey: ["preview", fingerprint],
    queryFn: () => api("POST /bulk", { body: { action: "retry", filter: { failure: fingerprint }, dryRun: true } }),
    gcTime: 0,
    staleTime: 0,
  });
  const count = preview.data && "count" in preview.data ? preview.data : undefined;
  return (
    <ConfirmDialog
      title={`Retry a failure group of ${type}`}
      confirm={count ? `Retry ${count.capped ? cappedText(count) : instancesText(count.count)}` : "Retry"}
      ready={count !== undefined || preview.isError}
      action={(why) => retryGroup(fingerprint, count?.count, why)}
      onDone={(run) => onBegun(run.id)}
      onClose={onClose}
    >
      <p>
        {count ? <b>{cappedText(count)}</b> : "All"} {count?.count === 1 ? "instance" : "instances"} that failed in{" "}
        <code>{state}</code> {count?.count === 1 ? "runs" : "run"} again from that state, with fresh attempts. The
        retry continues even if the server is restarted.
      </p>
      {reason && <blockquote>{shortReason(reason)}</blockquote>}
    </ConfirmDialog>
  );
}
