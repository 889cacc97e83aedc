import { useQuery } from "@tanstack/react-query";
import { useEffect, useId, useState } from "react";
import { sequenceQueries } from "../../api/sequences";
import { Button } from "../../components/Button";

/** A form that filters by one sequence, by its whole id. */
export function Filter({ sequenceId, onChange }: { sequenceId: string; onChange: (sequenceId: string) => void }) {
  const [draft, setDraft] = useState(sequenceId);
  useEffect(() => setDraft(sequenceId), [sequenceId]);
  const names = useId();
  const known = useQuery({ ...sequenceQueries.list({ limit: 200 }), staleTime: 60_000 });
  return (
    <form
      className="task-runs-filter"
      role="search"
      aria-label="Task run filter"
      onSubmit={(event) => {
        event.preventDefault();
        onChange(draft.trim());
      }}
    >
      <label className="field">
        <span>Sequence</span>
        <input
          value={draft}
          maxLength={150}
          list={names}
          placeholder="all"
          onChange={(event) => {
            setDraft(event.target.value);
            if (isChoice(event.nativeEvent)) onChange(event.target.value);
          }}
        />
      </label>
      <datalist id={names}>
        {known.data?.items.map((one) => <option key={one.sequenceId} value={one.sequenceId} />)}
      </datalist>
      <Button type="submit">Search</Button>
      {sequenceId && (
        <Button look="quiet" onClick={() => onChange("")}>
          Clear filters
        </Button>
      )}
    </form>
  );
}

/** Returns true if the text was chosen from the list of known sequences. */
function isChoice(event: Event): boolean {
  return !(event instanceof InputEvent) || event.inputType === "insertReplacementText";
}
