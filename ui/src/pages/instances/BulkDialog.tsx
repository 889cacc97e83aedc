import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../api/client";
import { bulk } from "../../api/actions";
import { queries } from "../../api/queries";
import type { BulkRequest, BulkRun } from "../../api/schema";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { ErrorPanel } from "../../components/ErrorPanel";
import { ForceField } from "../../components/ForceField";
import { cappedText, instancesText } from "../../components/number";
import { isComplete, noSignal, payloadOf, SignalFields } from "../../components/SignalFields";

export type BulkAction = BulkRequest["action"];

export const bulkActions: readonly { action: BulkAction; name: string; explain: string; danger?: boolean }[] = [
  { action: "retry", name: "Retry", explain: "run their state again now, with fresh attempts." },
  { action: "wake", name: "Wake", explain: "become due now." },
  { action: "pause", name: "Pause", explain: "stop until they are resumed." },
  { action: "resume", name: "Resume", explain: "continue where they were paused." },
  { action: "move", name: "Move", explain: "become due in another state. Effects of their handlers are not undone." },
  { action: "signal", name: "Signal", explain: "receive the signal. It is kept until a handler consumes it." },
  { action: "cancel", name: "Cancel", explain: "end as cancelled. This cannot be undone.", danger: true },
];

/** A dialog that counts the matching instances and then acts on exactly that many. */
export function BulkDialog({
  action,
  filter,
  types,
  onBegun,
  onClose,
}: {
  action: BulkAction;
  filter: BulkRequest["filter"];
  /** Types of the selected instances, if known. */
  types: readonly string[];
  onBegun: (run: BulkRun) => void;
  onClose: () => void;
}) {
  const { name, explain, danger } = bulkActions.find((one) => one.action === action) ?? { name: action, explain: "" };
  const [state, setState] = useState("");
  const [force, setForce] = useState(false);
  const [signal, setSignal] = useState(noSignal);
  const preview = useQuery({
    queryKey: ["preview", filter],
    queryFn: () => api("POST /bulk", { body: { action: "wake", filter, dryRun: true } }), // any action counts the same
    gcTime: 0,
    staleTime: 0,
    refetchOnMount: "always",
  });
  const count = preview.data && "count" in preview.data ? preview.data : undefined;
  const many = (count?.count ?? 0) > 1;
  const complete = action === "move" ? state.trim() !== "" : action !== "signal" || isComplete(signal);
  return (
    <ConfirmDialog
      title={`${name} ${many ? "instances" : "an instance"}`}
      confirm={count ? `${name} ${count.capped ? cappedText(count) : instancesText(count.count)}` : name}
      danger={danger}
      ready={complete && count !== undefined && count.count > 0}
      typed={many ? String(count?.count) : undefined}
      action={(reason) =>
        bulk(
          {
            action,
            filter,
            ...(action === "move" ? { state: state.trim(), ...(force ? { force } : {}) } : {}),
            ...(action === "signal" ? { signal: { name: signal.name.trim() } } : {}),
            ...(reason ? { reason } : {}),
            expectedCount: count && !count.capped ? count.count : null,
          },
          payloadOf(signal),
        )
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
              {explain} Instances that refuse stay unchanged and are listed.
            </>
          ) : (
            "Counting…"
          )}
        </p>
      )}
      {action === "move" && (
        <>
          <StateField types={types} state={state} onChange={setState} />
          <ForceField what="a definition" force={force} onChange={setForce} />
        </>
      )}
      {action === "signal" && <SignalFields signal={signal} onChange={setSignal} />}
    </ConfirmDialog>
  );
}

/** A field for the name of a state; it offers the states of the definition if all instances have one type. */
function StateField({
  types,
  state,
  onChange,
}: {
  types: readonly string[];
  state: string;
  onChange: (state: string) => void;
}) {
  const [type = ""] = types;
  const definition = useQuery({ ...queries.definition(type), enabled: types.length === 1 });
  return (
    <label className="field">
      <span>To state</span>
      <input value={state} maxLength={100} list="bulk-states" onChange={(event) => onChange(event.target.value)} />
      <datalist id="bulk-states">
        {definition.data?.states.map(({ name }) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </label>
  );
}
