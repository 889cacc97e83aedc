import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Fire } from "../../api/schema";
import { sequenceQueries } from "../../api/sequences";
import { fireKey, fireWords, triggerText } from "../../components/fires";
import { Loaded } from "../../components/Loaded";
import { Panel } from "../../components/Page";
import { PagingFoot, usePaging } from "../../components/Paging";
import { Table, type Column } from "../../components/Table";
import { Duration } from "../../components/Time";
import { ZonedTime } from "../../components/ZonedTime";

const pageSize = 20;

const columnsIn = (zone: string | undefined): Column<Fire>[] => [
  { id: "slot", head: "Slot", cell: ({ slot }) => <ZonedTime at={slot} zone={zone} short /> },
  {
    id: "outcome",
    head: "Outcome",
    cell: ({ outcome, count }) => (
      <span className="fire-outcome" title={fireWords[outcome].meaning}>
        <span className={`spark spark-${outcome}`} aria-hidden="true" />
        {fireWords[outcome].word}
        {count > 1 && <span className="faint">{count} slots</span>}
      </span>
    ),
  },
  { id: "trigger", head: "Started by", cell: ({ trigger }) => triggerText(trigger) },
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
    cell: ({ at, ended, executionId }) =>
      at && executionId ? <Duration from={at} to={ended} /> : <span className="faint">–</span>,
  },
  {
    id: "window",
    head: "Window",
    cell: ({ from, to }) =>
      from && to ? (
        <span className="muted fire-window">
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

/** The fires of a sequence, newest first. */
export function Fires({ sequenceId, zone }: { sequenceId: string; zone: string | undefined }) {
  const paging = usePaging(sequenceId);
  const fires = useQuery({
    ...sequenceQueries.fires(sequenceId, paging.cursor, pageSize),
    placeholderData: keepPreviousData,
  });
  return (
    <Panel title="Fires">
      <Loaded query={fires}>
        {({ items, next }) => (
          <>
            {items.length ? (
              <Table label="Fires" columns={columnsIn(zone)} rows={items} rowKey={fireKey} />
            ) : (
              <p className="muted">{paging.page ? "No older fires." : "No fires yet."}</p>
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
