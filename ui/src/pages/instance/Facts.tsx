import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { queries } from "../../api/queries";
import type { InstanceDetail } from "../../api/schema";
import { countText } from "../../components/number";
import { AbsoluteTime, Duration, RelativeTime } from "../../components/Time";
import { awaitedId, awaitedOf, starterOf, type JobRef } from "./jobs";

const normalPriority = 4;

/** Returns the job of a Redis flow that the instance waits for. */
function useAwaited({ id, waitingFor }: InstanceDetail): JobRef | null {
  const job = awaitedId(waitingFor);
  const variables = useQuery({ ...queries.variables(id), enabled: job !== null }).data;
  return job && variables ? awaitedOf(job, variables) : null;
}

const jobLink = (job: JobRef | null) =>
  job && (
    <Link to="/flows/$flow/jobs/$id" params={job} className="mono" title={`of flow ${job.flow}`}>
      {job.id}
    </Link>
  );

/** The facts about an instance; facts with their usual value are left out. */
export function Facts({ instance }: { instance: InstanceDetail }) {
  const { type, version, children, priority } = instance;
  const awaited = useAwaited(instance);
  const facts: [string, ReactNode][] = [
    ["State", <span className="mono">{instance.state}</span>],
    ["Business key", instance.businessKey],
    ["External id", instance.externalId],
    ["Started by job", jobLink(starterOf(instance.externalId))],
    ["Waits for job", jobLink(awaited)],
    ["Definition", <Link to="/definitions/$type" params={{ type }} search={{ version }}>{`${type} ${version}`}</Link>],
    ["Started", <RelativeTime at={instance.created} />],
    [instance.ended ? "Duration" : "Age", <Duration from={instance.created} to={instance.ended} />],
    ["Next run", instance.nextActivation && <AbsoluteTime at={instance.nextActivation} />],
    ["Attempt", instance.attempt > 1 && instance.attempt],
    ["Executor", instance.executorId && <Link to="/executors">{instance.executorId}</Link>],
    ["Group", instance.executorGroup],
    ["Priority", priority !== normalPriority && priority],
    [
      "Children",
      children &&
        children.total > 0 &&
        `${countText(children.total)}, ${countText(children.open)} open, ${countText(children.failed)} failed`,
    ],
  ];
  return (
    <dl className="facts">
      {facts
        .filter(([, value]) => value !== null && value !== undefined && value !== false && value !== "")
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
