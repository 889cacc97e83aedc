import { useMemo } from "react";
import type { Overview } from "../../api/schema";
import { completeBuckets } from "../../components/chart/buckets";
import { Chart } from "../../components/Chart";
import { Panel } from "../../components/Page";

/** Charts of throughput and failures over the range. */
export function Charts({ data, words }: { data: Overview; words: string }) {
  const buckets = useMemo(() => completeBuckets(data.series), [data.series]);
  const { times, throughput, failures } = useMemo(
    () => ({
      times: buckets.map(({ at }) => Date.parse(at) / 1000),
      throughput: [
        { name: "Finished", colour: "--finished", look: "line" as const, values: buckets.map(({ finished }) => finished) },
        { name: "Started", colour: "--accent", look: "line" as const, values: buckets.map(({ started }) => started) },
      ],
      failures: [
        { name: "Failed", colour: "--failed", look: "bars" as const, values: buckets.map(({ failed }) => failed) },
      ],
    }),
    [buckets],
  );
  return (
    <div className="overview-charts">
      <Panel title={`Throughput, ${words}`} className="chart-panel">
        <Chart label={`Throughput, ${words}`} times={times} series={throughput} />
      </Panel>
      <Panel title={`Failures, ${words}`} className="chart-panel">
        <Chart label={`Failures, ${words}`} times={times} series={failures} />
      </Panel>
    </div>
  );
}
