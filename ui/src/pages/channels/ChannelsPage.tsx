import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { TriangleAlert } from "lucide-react";
import { channelQueries } from "../../api/channels";
import { one } from "../../app/search";
import { Button } from "../../components/Button";
import { EmptyState } from "../../components/EmptyState";
import { Loaded } from "../../components/Loaded";
import { countText } from "../../components/number";
import { Page, Panel } from "../../components/Page";
import { Table, type Column } from "../../components/Table";
import { useLive } from "../../live/live";
import "./channels.css";
import { DeadLetters } from "./DeadLetters";
import { unattended, type Channel } from "./state";

const route = getRouteApi("/channels");
const none = <span className="faint">–</span>;
const count = (number: number | null | undefined) =>
  number == null ? none : number === 0 ? <span className="faint">0</span> : countText(number);

export function ChannelsPage() {
  const chosen = one(route.useSearch().channel);
  const navigate = useNavigate();
  const paused = useLive().state === "paused";
  const channels = useQuery({ ...channelQueries.channels(), refetchInterval: paused ? false : 5_000 });
  const choose = (channel: string | undefined) => void navigate({ to: "/channels", search: { channel } });
  const columns: Column<Channel>[] = [
    { id: "channel", head: "Channel", cell: ({ channel }) => <code>{channel}</code> },
    { id: "tasks", head: "Tasks", grow: true, cell: ({ tasks }) => tasks.join(", ") || none },
    { id: "ready", head: "Waiting", align: "right", cell: (channel) => <Ready channel={channel} /> },
    { id: "consumers", head: "Consumers", align: "right", cell: ({ consumers }) => count(consumers) },
    {
      id: "dead",
      head: "Dead letters",
      align: "right",
      cell: ({ channel, deadLetters }) =>
        !deadLetters ? (
          count(deadLetters)
        ) : (
          <Button
            className="channel-dead"
            aria-expanded={chosen === channel}
            aria-label={`Dead letters of ${channel}: ${countText(deadLetters)}`}
            onClick={() => choose(chosen === channel ? undefined : channel)}
          >
            {countText(deadLetters)}
          </Button>
        ),
    },
  ];
  return (
    <Page
      title="Channels"
      subtitle="Message queues between servers and tasks, with their waiting and failed messages."
    >
      <Loaded query={channels}>
        {({ transport, problem, channels: all }) => {
          const open = all.find(({ channel }) => channel === chosen);
          return (
            <>
              <p className="channel-transport">
                <span className="tag">{transport}</span>
                {transport === "in-process"
                  ? "Messages go from task to task within the servers; there is no broker, so nothing waits here."
                  : "Messages from task to task go over a broker; the database holds the state of the tasks."}
              </p>
              {problem && (
                <div className="error-panel" role="alert">
                  <TriangleAlert size={16} aria-hidden="true" />
                  <div>
                    <strong>The state of the queues is unknown</strong>
                    <p>{problem}</p>
                    <p>No work is lost: tasks whose messages do not arrive start a little later without them.</p>
                  </div>
                </div>
              )}
              {all.length ? (
                <Panel title="Channels of tasks">
                  <Table label="Channels of tasks" columns={columns} rows={all} rowKey={({ channel }) => channel} />
                </Panel>
              ) : (
                <EmptyState title="No channels" command="millrace tasks list">
                  A task that names a channel receives its messages over it.
                </EmptyState>
              )}
              {open && <DeadLetters key={open.channel} channel={open} onClose={() => choose(undefined)} />}
            </>
          );
        }}
      </Loaded>
    </Page>
  );
}

/** The number of waiting messages, with a warning if no consumer receives them. */
function Ready({ channel }: { channel: Channel }) {
  if (!unattended(channel)) return count(channel.ready);
  return (
    <span className="tag warn" title="Messages wait, and there is no consumer. Check that a server with these tasks is running.">
      <TriangleAlert size={13} aria-hidden="true" />
      {countText(channel.ready ?? 0)}, no consumer
    </span>
  );
}
