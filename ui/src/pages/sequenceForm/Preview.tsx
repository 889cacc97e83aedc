import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { sequenceQueries, type ScheduleJson } from "../../api/sequences";
import { ErrorPanel } from "../../components/ErrorPanel";
import { Panel } from "../../components/Page";
import { Explained } from "../sequences/Explained";

const patience = 350;

/** Returns the value once it has not changed for a moment. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), patience);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

/** Returns the server's explanation of the schedule in the form; pass null while the form has faults. */
export function usePreview(schedule: ScheduleJson | null) {
  const text = useSettled(schedule ? JSON.stringify(schedule) : "");
  const query = useQuery({
    ...sequenceQueries.explain(text ? (JSON.parse(text) as ScheduleJson) : {}),
    enabled: text !== "",
    placeholderData: keepPreviousData,
  });
  return { data: query.data, error: text ? query.error : null };
}

export function Preview({ preview, complete }: { preview: ReturnType<typeof usePreview>; complete: boolean }) {
  const { data, error } = preview;
  return (
    <Panel title="Schedule preview" className="preview">
      <div aria-live="polite">
        {!complete && data && <p className="muted preview-old">Preview of the last complete schedule.</p>}
        {error ? (
          <ErrorPanel error={error} />
        ) : data ? (
          <Explained explanation={data.explanation} zone={data.zone} compact />
        ) : (
          <p className="muted">The description and the next five slots appear here.</p>
        )}
      </div>
    </Panel>
  );
}
