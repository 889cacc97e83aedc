import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { serverNow } from "../../api/client";
import { perform } from "../../api/actions";
import type { Backfill, SequenceDetail } from "../../api/schema";
import { backfill } from "../../api/sequenceActions";
import { useZone, zoneName } from "../../app/time";
import { ActionHelp } from "../../components/ActionHelp";
import { Button } from "../../components/Button";
import { DateInput } from "../../components/DateInput";
import { Dialog } from "../../components/Dialog";
import { ErrorPanel } from "../../components/ErrorPanel";
import { Table, type Column } from "../../components/Table";
import { useToast } from "../../components/Toast";
import { ZonedTime } from "../../components/ZonedTime";
import { instantOf } from "../definitions/inputForm";
import { backfillFault, backfillWords, toRun, type BackfillSlot } from "./backfill";

const columnsIn = (zone: string | undefined): Column<BackfillSlot>[] => [
  { id: "slot", head: "Slot", cell: ({ slot }) => <ZonedTime at={slot.at} zone={zone} /> },
  {
    id: "outcome",
    head: "Result",
    grow: true,
    cell: ({ slot, outcome, executionId }) =>
      executionId ? (
        <span>
          {backfillWords[outcome]}:{" "}
          <Link to="/instances/$id" params={{ id: executionId }}>
            execution {executionId}
          </Link>
        </span>
      ) : (
        <span className={outcome === "toRun" ? "" : "muted"}>
          {backfillWords[outcome]}
          {slot.excluded && `: ${slot.excluded}`}
        </span>
      ),
  },
];

/** A dialog that lists the slots of a period that have not run, and then runs them. */
export function BackfillDialog({ sequence, onClose }: { sequence: SequenceDetail; onClose: () => void }) {
  const { sequenceId, zone } = sequence;
  const [choice] = useZone();
  const [ends, setEnds] = useState({ from: "", to: "" });
  const [reason, setReason] = useState("");
  const toast = useToast();
  const client = useQueryClient();
  const from = instantOf(ends.from, choice);
  const to = instantOf(ends.to, choice);
  const fault = backfillFault(from, to, serverNow());
  const action = (dryRun: boolean) => backfill(sequenceId, from ?? "", to ?? "", dryRun, dryRun ? "" : reason.trim());
  const list = useMutation({ mutationFn: () => perform(action(true)) });
  const run = useMutation({
    mutationFn: () => perform(action(false)),
    onSuccess: ({ instanceId, slots }) => {
      void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== "session" });
      toast(<Done id={instanceId} count={toRun(slots)} />);
      onClose();
    },
  });
  const change = (part: Partial<typeof ends>) => {
    setEnds((before) => ({ ...before, ...part }));
    list.reset();
    run.reset();
  };
  const found = list.data;
  const blocked = !from || !to || fault !== null || list.isPending || run.isPending;
  return (
    <Dialog title={`Backfill ${sequenceId}`} onClose={onClose} stays={run.isPending}>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          if (blocked) return;
          if (!found) list.mutate();
          else if (toRun(found.slots)) run.mutate();
        }}
      >
        <p>Runs the slots of a past period that have not run, one after another.</p>
        <div className="field-row">
          {(["from", "to"] as const).map((end) => (
            <label key={end} className="field">
              <span>
                {end === "from" ? "From" : "To"} <span className="faint">{zoneName(choice)}</span>
              </span>
              <DateInput
                time
                value={ends[end]}
                required
                aria-invalid={fault !== null}
                aria-describedby={fault ? "backfill-fault" : undefined}
                onChange={(text) => change({ [end]: text })}
              />
            </label>
          ))}
        </div>
        {fault && (
          <div className="field-fault" id="backfill-fault">
            {fault}
          </div>
        )}
        {found && <Found found={found} zone={zone} />}
        {found && toRun(found.slots) > 0 && (
          <label className="field">
            <span>
              Reason <span className="faint">recorded in the history</span>
            </span>
            <input value={reason} maxLength={1000} onChange={(event) => setReason(event.target.value)} />
          </label>
        )}
        {from && to && <ActionHelp action={action(!found)} />}
        {(list.error ?? run.error) && <ErrorPanel error={list.error ?? run.error} />}
        <footer className="dialog-foot">
          <Button onClick={onClose}>Cancel</Button>
          {found && toRun(found.slots) > 0 ? (
            <Button type="submit" look="primary" disabled={blocked}>
              {run.isPending ? "Working…" : `Run ${slotsText(toRun(found.slots))}`}
            </Button>
          ) : (
            <Button type="submit" look="primary" disabled={blocked || found !== undefined}>
              {list.isPending ? "Working…" : "List slots"}
            </Button>
          )}
        </footer>
      </form>
    </Dialog>
  );
}

const slotsText = (count: number) => (count === 1 ? "1 slot" : `${count} slots`);

function Found({ found, zone }: { found: Backfill; zone: string | undefined }) {
  if (found.slots.length === 0) return <p role="status">No slots in this period.</p>;
  return (
    <>
      <p role="status">
        {slotsText(toRun(found.slots))} of {found.slots.length} to run.
        {found.truncated && " There are more slots than one backfill can run. Repeat the backfill for the rest."}
      </p>
      <div className="backfill-slots">
        <Table label="Slots" columns={columnsIn(zone)} rows={found.slots} rowKey={({ slot }) => slot.at} />
      </div>
    </>
  );
}

function Done({ id, count }: { id: number | null | undefined; count: number }) {
  return (
    <>
      Backfill of {slotsText(count)} started
      {id && (
        <>
          :{" "}
          <Link to="/instances/$id" params={{ id }}>
            instance {id}
          </Link>
        </>
      )}
    </>
  );
}
