import { useQuery } from "@tanstack/react-query";
import { RefreshCw, X } from "lucide-react";
import { useState } from "react";
import { channelQueries, requeue } from "../../api/channels";
import type { DeadLetter } from "../../api/schema";
import { useMay } from "../../app/session";
import { Button } from "../../components/Button";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { CopyButton } from "../../components/CopyButton";
import { EmptyState } from "../../components/EmptyState";
import { Loaded } from "../../components/Loaded";
import { countText } from "../../components/number";
import { Panel } from "../../components/Page";
import { RelativeTime } from "../../components/Time";
import { useToast } from "../../components/Toast";
import { limitOf, proposedLimit, type Channel } from "./state";

const few = 20;
const many = 100;

/** The oldest dead letters of a channel, and the button that moves them back into it. */
export function DeadLetters({ channel: { channel, deadLetters }, onClose }: { channel: Channel; onClose: () => void }) {
  const may = useMay()("POST /channels/{channel}/requeue");
  const [limit, setLimit] = useState(few);
  const [asking, setAsking] = useState(false);
  const letters = useQuery(channelQueries.deadLetters(channel, limit));
  const total = deadLetters ?? 0;
  return (
    <Panel
      title={`Dead letters of ${channel}`}
      actions={
        <>
          {letters.data && (
            <span className="faint">
              as of <RelativeTime at={new Date(letters.dataUpdatedAt).toISOString()} />
            </span>
          )}
          <Button
            icon={<RefreshCw size={14} aria-hidden="true" />}
            disabled={letters.isFetching}
            onClick={() => void letters.refetch()}
          >
            Refresh
          </Button>
          {may && total > 0 && <Button onClick={() => setAsking(true)}>Requeue…</Button>}
          <Button
            look="quiet"
            icon={<X size={16} aria-hidden="true" />}
            aria-label="Close the dead letters"
            onClick={onClose}
          />
        </>
      }
    >
      <Loaded query={letters}>
        {(all) =>
          all.length ? (
            <>
              <ol className="letters">
                {all.map((letter, index) => (
                  <Letter key={`${letter.id ?? ""} ${index}`} letter={letter} />
                ))}
              </ol>
              {total > all.length && (
                <p className="letters-more muted">
                  The oldest {countText(all.length)} of {countText(total)}.{" "}
                  {limit < many && <Button onClick={() => setLimit(many)}>Show {Math.min(total, many)}</Button>}
                </p>
              )}
            </>
          ) : (
            <EmptyState title="No dead letters">Messages that a task cannot process appear here, with the reason.</EmptyState>
          )
        }
      </Loaded>
      {asking && <Requeue channel={channel} total={total} onClose={() => setAsking(false)} />}
    </Panel>
  );
}

function Letter({ letter: { reason, id, body } }: { letter: DeadLetter }) {
  return (
    <li>
      <p>
        <strong>{reason}</strong> <span className="faint">{id ? `message ${id}` : "without an id"}</span>
      </p>
      <div className="json">
        <pre tabIndex={0} role="region" aria-label="Body">
          {body}
        </pre>
        <CopyButton text={body} label="Copy the body" />
      </div>
    </li>
  );
}

function Requeue({ channel, total, onClose }: { channel: string; total: number; onClose: () => void }) {
  const [text, setText] = useState(String(proposedLimit(total)));
  const limit = limitOf(text);
  const toast = useToast();
  return (
    <ConfirmDialog
      title={`Requeue dead letters of ${channel}`}
      action={(reason) => requeue(channel, limit ?? 1, reason)}
      confirm={limit ? `Requeue ${countText(limit)}` : "Requeue"}
      ready={limit !== null}
      onDone={({ moved }) => toast(`${countText(moved)} moved back into ${channel}`)}
      onClose={onClose}
    >
      <p>
        The oldest dead letters go back into the channel and are retried. A message that still cannot be processed returns
        here; a message whose task is already done has no effect.
      </p>
      <label className="field">
        <span>
          Number <span className="faint">of {countText(total)}, at most 10,000 at once</span>
        </span>
        <input value={text} inputMode="numeric" autoComplete="off" onChange={(event) => setText(event.target.value)} />
      </label>
      {limit === null && <p className="field-fault">Must be a whole number from 1 to 10,000.</p>}
    </ConfirmDialog>
  );
}
