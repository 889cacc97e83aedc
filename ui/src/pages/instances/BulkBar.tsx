import { useState } from "react";
import type { BulkRun } from "../../api/schema";
import { Button } from "../../components/Button";
import { countText } from "../../components/number";
import { bulkActions, BulkDialog, type BulkAction } from "./BulkDialog";
import type { Filter } from "./filter";
import { filterOf, type Selection } from "./selection";

/** The bar with the actions on the selected instances. */
export function BulkBar({
  selection,
  filter,
  matching,
  types,
  onAll,
  onNone,
  onBegun,
}: {
  selection: Selection;
  filter: Filter;
  /** Number of instances that match the filter, as text. */
  matching: string;
  /** Types of the selected instances, if known. */
  types: readonly string[];
  onAll: () => void;
  onNone: () => void;
  onBegun: (run: BulkRun) => void;
}) {
  const [asked, setAsked] = useState<BulkAction | null>(null);
  const count = selection === "all" ? `All ${matching}` : countText(selection.ids.size);
  return (
    <div className="bulk-bar" role="region" aria-label="Selected instances">
      <strong className="number">{count} selected</strong>
      {selection !== "all" && (
        <Button look="quiet" onClick={onAll}>
          Select all {matching} that match
        </Button>
      )}
      <span className="bulk-bar-actions">
        {bulkActions.map(({ action, name, danger }) => (
          <Button key={action} className={danger ? "danger-text" : ""} onClick={() => setAsked(action)}>
            {name}
          </Button>
        ))}
        <Button look="quiet" onClick={onNone}>
          Clear selection
        </Button>
      </span>
      {asked && (
        <BulkDialog
          action={asked}
          filter={filterOf(selection, filter)}
          types={types}
          onBegun={onBegun}
          onClose={() => setAsked(null)}
        />
      )}
    </div>
  );
}
