import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { SequenceSlot } from "../../api/schema";
import { sequenceQueries } from "../../api/sequences";
import { slotKey, outcomeWords, causeText } from "../../components/slots";
import { Loaded } from "../../components/Loaded";
import { Panel } from "../../components/Page";
import { PagingFoot, usePaging } from "../../components/Paging";
import { Table, type Column } from "../../components/Table";
import { Duration } from "../../components/Time";
import { ZonedTime } from "../../components/ZonedTime";

const pageSize = 20;

const columnsIn = (zone: string | undefined): Column<SequenceSlot>[] => [
  { id: "slot", head: "Slot", cell: ({ at }) => <ZonedTime at={at} zone={zone} short /> },
  {
    id: "outcome",
    head: "Outcome",
    cell: ({ outcome, count }) => (
      <span className="slot-outcome" title={outcomeWords[outcome].meaning}>
        <span className={`spark spark-${outcome}`} aria-hidden="true" />
        {outcomeWords[outcome].word}
        {count > 1 && <span className="faint">{count} slots</span>}
      </span>
    ),
  },
  { id: "cause", head: "Started by", cell: ({ cause }) => causeText(cause) },
  {
    id: "execution",
    head: "Execution",
    cell: ({ executionId }) =>
      executionId ? (
        <Link to="/instances/$id" params={{ id: executionId }}>
          {executionId}
        </Link>
      ) : (
        <span className="faint">–</span>
      ),
  },
  {
    id: "took",
    head: "Duration",
    cell: ({ recorded, ended, executionId }) =>
      recorded && executionId ? <Duration from={recorded} to={ended} /> : <span className="faint">–</span>,
  },
  {
    id: "window",
    head: "Window",
    cell: ({ from, to }) =>
      from && to ? (
        <span className="muted slot-window">
          <span>
            <ZonedTime at={from} zone={zone} plain /> to
          </span>
          <ZonedTime at={to} zone={zone} plain />
        </span>
      ) : (
        <span className="faint">–</span>
      ),
  },
  { id: "reason", head: "Reason", grow: true, cell: ({ reason }) => <span className="muted">{reason}</span> },
];

/** The slots of a sequence, newest first. */
export function Slots({ sequenceId, zone }: { sequenceId: string; zone: string | undefined }) {
  const paging = usePaging(sequenceId);
  const slots = useQuery({
    ...sequenceQueries.slots(sequenceId, paging.cursor, pageSize),
    placeholderData: keepPreviousData,
  });
  return (
    <Panel title="Slots">
      <Loaded query={slots}>
        {({ items, next }) => (
          <>
            {items.length ? (
              <Table label="Slots" columns={columnsIn(zone)} rows={items} rowKey={slotKey} />
            ) : (
              <p className="muted">{paging.page ? "No older slots." : "No slots yet."}</p>
            )}
            {(next || paging.page > 0) && (
              <div className="panel-paging">
                <PagingFoot paging={paging} next={next}>
                  <span>Newest first</span>
                </PagingFoot>
              </div>
            )}
          </>
        )}
      </Loaded>
    </Panel>
  );
}
