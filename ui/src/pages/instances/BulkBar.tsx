import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../api/client";
import { bulk, type Simple as Action } from "../../api/deeds";
import type { BulkRequest, BulkRun } from "../../api/schema";
import { Button } from "../../components/Button";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { ErrorPanel } from "../../components/ErrorPanel";
import { cappedText, countText, instancesText } from "../../components/number";
import type { Filter } from "./filter";
import { filterOf, type Selection } from "./selection";

const actions: readonly { action: Action; name: string; explain: string; danger?: boolean }[] = [
  { action: "retry", name: "Retry", explain: "run their state again now, with fresh attempts." },
  { action: "wake", name: "Wake", explain: "become due now." },
  { action: "pause", name: "Pause", explain: "stop until they are resumed." },
  { action: "resume", name: "Resume", explain: "go on where they were paused." },
  { action: "cancel", name: "Cancel", explain: "end as cancelled. That cannot be undone.", danger: true },
];

/** What can be done to the chosen instances. */
export function BulkBar({
  selection,
  filter,
  pageIsChosen,
  matching,
  onAll,
  onNone,
  onBegun,
}: {
  selection: Selection;
  filter: Filter;
  pageIsChosen: boolean;
  /** How many match the filter, as text. */
  matching: string;
  onAll: () => void;
  onNone: () => void;
  onBegun: (run: BulkRun) => void;
}) {
  const [asked, setAsked] = useState<Action | null>(null);
  const count = selection === "all" ? `All ${matching}` : countText(selection.ids.size);
  return (
    <div className="bulk-bar" role="region" aria-label="Chosen instances">
      <strong className="number">{count} chosen</strong>
      {pageIsChosen && selection !== "all" && (
        <Button look="quiet" onClick={onAll}>
          Choose all {matching} that match
        </Button>
      )}
      <span className="bulk-bar-actions">
        {actions.map(({ action, name, danger }) => (
          <Button key={action} className={danger ? "danger-text" : ""} onClick={() => setAsked(action)}>
            {name}
          </Button>
        ))}
        <Button look="quiet" onClick={onNone}>
          Choose none
        </Button>
      </span>
      {asked && (
        <BulkDialog
          action={asked}
          filter={filterOf(selection, filter)}
          onBegun={onBegun}
          onClose={() => setAsked(null)}
        />
      )}
    </div>
  );
}

function BulkDialog({
  action,
  filter,
  onBegun,
  onClose,
}: {
  action: Action;
  filter: BulkRequest["filter"];
  onBegun: (run: BulkRun) => void;
  onClose: () => void;
}) {
  const { name, explain, danger } = actions.find((one) => one.action === action) ?? { name: action, explain: "" };
  const preview = useQuery({
    queryKey: ["preview", action, filter],
    queryFn: () => api("POST /bulk", { body: { action, filter, dryRun: true } }),
    gcTime: 0,
    staleTime: 0,
    refetchOnMount: "always",
  });
  const count = preview.data && "count" in preview.data ? preview.data : undefined;
  const many = (count?.count ?? 0) > 1;
  return (
    <ConfirmDialog
      title={`${name} ${many ? "instances" : "an instance"}`}
      confirm={count ? `${name} ${count.capped ? cappedText(count) : instancesText(count.count)}` : name}
      danger={danger}
      ready={count !== undefined && count.count > 0}
      typed={many ? String(count?.count) : undefined}
      deed={(reason) =>
        bulk({ action, filter, ...(reason ? { reason } : {}), expectedCount: count && !count.capped ? count.count : null })
      }
      onDone={(answer) => {
        if ("id" in answer) onBegun(answer);
      }}
      onClose={onClose}
    >
      {preview.error ? (
        <ErrorPanel error={preview.error} />
      ) : (
        <p aria-live="polite">
          {count ? (
            <>
              <b className="number">{cappedText(count)}</b> {count.count === 1 ? "instance" : "instances"} would{" "}
              {explain} Each one that cannot is left as it is and listed.
            </>
          ) : (
            "Counting…"
          )}
        </p>
      )}
    </ConfirmDialog>
  );
}
