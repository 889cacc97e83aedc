import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { TriangleAlert } from "lucide-react";
import { useState } from "react";
import { continuousQueries, startRun, lookInto, moveTo, runNow, stopLooking } from "../../api/continuous";
import { ApiError } from "../../api/client";
import { queries } from "../../api/queries";
import type { ContinuousWorkflowDetail } from "../../api/schema";
import { useMay, useSession } from "../../app/session";
import { Button } from "../../components/Button";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { jsonFault } from "../../components/json";
import { Loaded } from "../../components/Loaded";
import { useToast } from "../../components/Toast";
import { targetsOf } from "./targets";
import { Unmet } from "./Unmet";
import { useLease } from "./useLease";

type Asked = "restart" | "continue" | "move" | "run" | "look" | "stop";

/** The operator actions on a continuous workflow. */
export function Actions({ detail: { workflow, unmet } }: { detail: ContinuousWorkflowDetail }) {
  const may = useMay()("POST /continuous-workflows/{name}/enable");
  const { user } = useSession();
  const { name, enabled, executorId, health } = workflow;
  const [asked, setAsked] = useState<Asked>();
  const mine = health.debugUntil !== null && health.debugBy === user;
  useLease(name, mine && may);
  if (!may) return null;
  const close = () => setAsked(undefined);
  return (
    <>
      <Button onClick={() => setAsked("run")}>Run now…</Button>
      {enabled && <Button onClick={() => setAsked("continue")}>Continue…</Button>}
      {enabled && <Button onClick={() => setAsked("restart")}>Restart…</Button>}
      {enabled && <Button onClick={() => setAsked("move")}>Move…</Button>}
      <Button onClick={() => setAsked(health.debugUntil ? "stop" : "look")}>
        {health.debugUntil ? "Stop debugging…" : "Debug…"}
      </Button>
      {asked === "restart" && <Restart name={name} onClose={close} />}
      {asked === "continue" && <Continue name={name} unmet={unmet} onClose={close} />}
      {asked === "move" && <Move name={name} from={executorId} onClose={close} />}
      {asked === "run" && <RunNow name={name} onClose={close} />}
      {asked === "look" && (
        <ConfirmDialog
          title={`Debug ${name}`}
          action={(reason) => lookInto(name, reason)}
          confirm="Debug"
          onClose={close}
        >
          <p>
            Its current run is not continued as a new one while this page is open, and for two minutes after. Its trigger and
            its executions keep running.
          </p>
        </ConfirmDialog>
      )}
      {asked === "stop" && (
        <ConfirmDialog
          title={`Stop debugging ${name}`}
          action={() => stopLooking(name)}
          confirm="Stop"
          withReason={false}
          onClose={close}
        >
          <p>{mine ? "You are debugging it." : `${health.debugBy ?? "Another user"} is debugging it.`} After that it can be continued again.</p>
        </ConfirmDialog>
      )}
    </>
  );
}

function Restart({ name, onClose }: { name: string; onClose: () => void }) {
  return (
    <ConfirmDialog title={`Restart ${name}`} action={(reason) => startRun(name, "restart", reason)} confirm="Restart" onClose={onClose}>
      <p>Its trigger is closed and opened again, on any executor that has its code. It continues at the stored position. No event is lost.</p>
    </ConfirmDialog>
  );
}

function Continue({ name, unmet, onClose }: { name: string; unmet: string[]; onClose: () => void }) {
  return (
    <ConfirmDialog
      title={`Continue ${name}`}
      action={(reason) => startRun(name, "continue", reason)}
      confirm="Continue"
      onTrouble={(error) => error instanceof ApiError && error.status === 409 && <Refused name={name} before={unmet} />}
      onClose={onClose}
    >
      <p>The next run starts on the same executor: the trigger is closed and opened again, and continues at the stored position.</p>
    </ConfirmDialog>
  );
}

/** The conditions that prevent a continuation, read after the refusal. */
function Refused({ name, before }: { name: string; before: string[] }) {
  const { data } = useQuery(continuousQueries.one(name));
  const unmet = data?.unmet ?? before;
  return (
    <div className="error-panel" role="alert">
      <TriangleAlert size={16} aria-hidden="true" />
      <div>
        <strong>It cannot be continued now</strong>
        {unmet.length > 0 ? (
          <Unmet all={unmet} />
        ) : (
          <p>Nothing prevents it any longer. Try again.</p>
        )}
      </div>
    </div>
  );
}

function Move({ name, from, onClose }: { name: string; from: number | null; onClose: () => void }) {
  const executors = useQuery(queries.executors());
  const [chosen, setChosen] = useState("");
  return (
    <ConfirmDialog
      title={`Move ${name}`}
      action={(reason) => moveTo(name, Number(chosen), reason)}
      confirm="Move"
      ready={chosen !== ""}
      onClose={onClose}
    >
      <p>
        {from ? `Executor ${from} closes its trigger first.` : "No executor has it now."} The other one continues at the stored position.
      </p>
      <Loaded query={executors}>
        {(all) => {
          const targets = targetsOf(all, from);
          return targets.length ? (
            <label className="field">
              <span>To executor</span>
              <select value={chosen} required onChange={({ target }) => setChosen(target.value)}>
                <option value="">choose one</option>
                {targets.map(({ id, host, runningHandlers, concurrency }) => (
                  <option key={id} value={id}>
                    {id} on {host}, {runningHandlers} of {concurrency} busy
                  </option>
                ))}
              </select>
            </label>
          ) : (
            <p className="field-fault">No other executor accepts work.</p>
          );
        }}
      </Loaded>
    </ConfirmDialog>
  );
}

function RunNow({ name, onClose }: { name: string; onClose: () => void }) {
  const toast = useToast();
  const navigate = useNavigate();
  const [payload, setPayload] = useState("{}");
  const [debug, setDebug] = useState(false);
  const fault = jsonFault(payload.trim() || "nothing");
  return (
    <ConfirmDialog
      title={`Run ${name} now`}
      action={(reason) => runNow(name, fault ? "null" : payload.trim(), debug, reason)}
      confirm="Run"
      ready={!fault}
      onDone={({ id }) => {
        toast(`Execution ${id} was started`);
        void navigate({ to: "/instances/$id", params: { id } });
      }}
      onClose={onClose}
    >
      <p>Starts one execution without the trigger; the trigger does not wait for it. The execution claims no period.</p>
      <label className="field">
        <span>
          Event <span className="faint">JSON, as from the trigger</span>
        </span>
        <textarea
          value={payload}
          spellCheck={false}
          aria-invalid={Boolean(fault)}
          onChange={({ target }) => setPayload(target.value)}
        />
        {fault && <span className="field-fault">{fault}</span>}
      </label>
      <label className="check-label">
        <input type="checkbox" checked={debug} onChange={({ target }) => setDebug(target.checked)} />
        Debug mode
      </label>
    </ConfirmDialog>
  );
}
