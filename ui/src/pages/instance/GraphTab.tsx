import { useQuery } from "@tanstack/react-query";
import { queries } from "../../api/queries";
import type { HistoryEntry, InstanceDetail } from "../../api/schema";
import { GraphLegend, StateGraph } from "../../components/graph/StateGraph";
import { travelledGraph } from "../../components/graph/model";
import { Loaded } from "../../components/Loaded";

export function GraphTab({
  instance,
  entries,
  selected,
  onSelect,
}: {
  instance: InstanceDetail;
  entries: readonly HistoryEntry[];
  selected?: string;
  onSelect: (state: string | undefined) => void;
}) {
  const definition = useQuery(queries.definition(instance.type, instance.version));
  return (
    <Loaded query={definition}>
      {(declared) => (
        <>
          <StateGraph graph={travelledGraph(declared, entries, instance)} selected={selected} onSelect={onSelect} />
          <GraphLegend />
        </>
      )}
    </Loaded>
  );
}
