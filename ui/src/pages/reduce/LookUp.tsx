import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState, type ReactNode } from "react";
import { reduceQueries } from "../../api/reduce";
import type { ReduceRecord } from "../../api/schema";
import { useMay } from "../../app/session";
import { Button } from "../../components/Button";
import { Loaded } from "../../components/Loaded";
import { Panel } from "../../components/Page";
import { AbsoluteTime, RelativeTime } from "../../components/Time";
import { ForgetDialog } from "./ForgetDialog";

const words: Record<ReduceRecord["state"], { word: string; look: string }> = {
  new: { word: "would be passed on", look: "good" },
  committed: { word: "skipped while unchanged", look: "" },
  reserved: { word: "in progress", look: "warn" },
};

interface Props {
  group: string;
  /** Key of the record whose state is shown. */
  name: string | undefined;
  onAsk: (key: string) => void;
}

/** A panel that shows why a record was skipped or passed on. */
export function LookUp({ group, name, onAsk }: Props) {
  const [text, setText] = useState(name ?? "");
  const [known, setKnown] = useState(name);
  if (known !== name) {
    setKnown(name);
    setText(name ?? "");
  }
  return (
    <Panel title={`Record state in ${group}`}>
      <form
        className="reduce-ask"
        role="search"
        aria-label="Key of a record"
        onSubmit={(event) => {
          event.preventDefault();
          if (text.trim()) onAsk(text.trim());
        }}
      >
        <label className="field">
          <span>
            Key <span className="faint">or its token</span>
          </span>
          <input value={text} maxLength={1000} autoComplete="off" spellCheck={false} onChange={({ target }) => setText(target.value)} />
        </label>
        <Button type="submit" disabled={!text.trim()}>
          Search
        </Button>
      </form>
      {name && <Found group={group} name={name} />}
    </Panel>
  );
}

function Found({ group, name }: { group: string; name: string }) {
  const may = useMay()("POST /reduce-groups/forget");
  const record = useQuery(reduceQueries.record(group, name));
  const [forgetting, setForgetting] = useState(false);
  return (
    <div className="reduce-found" role="status">
      <Loaded query={record}>
        {(one) => (
          <>
            <p>
              <code>{one.key}</code> <span className={`tag ${words[one.state].look}`}>{words[one.state].word}</span>
            </p>
            <p>{one.why}</p>
            <dl className="facts">
              {factsOf(one).map(([what, value]) => (
                <div key={what}>
                  <dt>{what}</dt>
                  <dd>{value}</dd>
                </div>
              ))}
            </dl>
            {may && one.state !== "new" && (
              <p>
                <Button onClick={() => setForgetting(true)}>Forget…</Button>
              </p>
            )}
          </>
        )}
      </Loaded>
      {forgetting && <ForgetDialog group={group} first={name} onClose={() => setForgetting(false)} />}
    </div>
  );
}

function factsOf({ committed, executionId, reservedBy, reservedUntil, generation }: ReduceRecord): [string, ReactNode][] {
  const instance = executionId && (
    <Link to="/instances/$id" params={{ id: executionId }}>
      {executionId}
    </Link>
  );
  const all: [string, ReactNode][] = [
    ["Committed", committed && <AbsoluteTime at={committed} />],
    ["By instance", instance],
    ["Reserved by", reservedBy],
    ["Reservation expires", reservedUntil && <RelativeTime at={reservedUntil} />],
    ["Generation", generation],
  ];
  return all.filter(([, value]) => value !== null);
}
