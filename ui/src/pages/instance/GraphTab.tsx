import { useQuery } from "@tanstack/react-query";
import { queries } from "../../api/queries";
import type { Action, InstanceDetail } from "../../api/schema";
import { GraphLegend, StateGraph } from "../../components/graph/StateGraph";
import { travelledGraph } from "../../components/graph/model";
import { Loaded } from "../../components/Loaded";

export function GraphTab({
  instance,
  actions,
  selected,
  onSelect,
}: {
  instance: InstanceDetail;
  actions: readonly Action[];
  selected?: string;
  onSelect: (state: string | undefined) => void;
}) {
  const definition = useQuery(queries.definition(instance.type, instance.version));
  return (
    <Loaded query={definition}>
      {(declared) => (
        <>
          <StateGraph graph={travelledGraph(declared, actions, instance)} selected={selected} onSelect={onSelect} />
          <GraphLegend />
        </>
      )}
    </Loaded>
  );
}
