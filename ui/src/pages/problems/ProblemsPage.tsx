import { useQuery } from "@tanstack/react-query";
import { queries } from "../../api/queries";
import { BulkLine } from "../../components/BulkProgress";
import { FailureGroups } from "../../components/FailureGroups";
import { Loaded } from "../../components/Loaded";
import { Page, Panel } from "../../components/Page";
import { ProblemList } from "../../components/ProblemList";

export function ProblemsPage() {
  const failures = useQuery(queries.failures());
  const problems = useQuery(queries.problems());
  const runs = useQuery({
    ...queries.bulkRuns(),
    refetchInterval: ({ state }) => (state.data?.some(({ ended }) => !ended) ? 1_000 : false),
  });
  return (
    <Page
      title="Problems"
      subtitle="Failures grouped by cause, and other problems that need an operator."
    >
      <Panel title="Failure groups">
        <Loaded query={failures}>{(groups) => <FailureGroups groups={groups} />}</Loaded>
      </Panel>
      <Panel title="Other problems">
        <Loaded query={problems}>
          {(all) => <ProblemList problems={all.filter(({ kind }) => kind !== "failureGroup")} />}
        </Loaded>
      </Panel>
      {runs.data && runs.data.length > 0 && (
        <Panel title="Last bulk runs">
          {runs.data.slice(0, 10).map((run) => (
            <BulkLine key={run.id} run={run} />
          ))}
        </Panel>
      )}
    </Page>
  );
}
