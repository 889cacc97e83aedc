import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { queries, type Range } from "../../api/queries";
import type { Series } from "../../api/schema";
import { ranges } from "../../app/router";
import { Button } from "../../components/Button";
import { completeBuckets } from "../../components/chart/buckets";
import { Chart } from "../../components/Chart";
import { Loaded } from "../../components/Loaded";

/** A chart of the started and ended instances of one definition. */
export function TypeChart({ type }: { type: string }) {
  const [range, setRange] = useState<Range>("24h");
  const statistics = useQuery({ ...queries.statistics(range, type), placeholderData: keepPreviousData });
  return (
    <div className="type-chart">
      <div className="button-group" role="group" aria-label="Range">
        {ranges.map((each) => (
          <Button key={each} aria-pressed={each === range} onClick={() => setRange(each)}>
            {each}
          </Button>
        ))}
      </div>
      <Loaded query={statistics}>{(series) => <Lines series={series} label={`${type}, ${range}`} />}</Loaded>
    </div>
  );
}

function Lines({ series, label }: { series: Series; label: string }) {
  const buckets = useMemo(() => completeBuckets(series), [series]);
  const { times, lines } = useMemo(
    () => ({
      times: buckets.map(({ at }) => Date.parse(at) / 1000),
      lines: [
        { name: "Started", colour: "--accent", look: "line" as const, values: buckets.map(({ started }) => started) },
        { name: "Finished", colour: "--finished", look: "line" as const, values: buckets.map(({ finished }) => finished) },
        { name: "Failed", colour: "--failed", look: "bars" as const, values: buckets.map(({ failed }) => failed) },
      ],
    }),
    [buckets],
  );
  return <Chart label={label} times={times} series={lines} />;
}
