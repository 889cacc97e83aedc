import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { sequenceQueries, type ScheduleJson } from "../../api/sequences";
import { ErrorPanel } from "../../components/ErrorPanel";
import { Panel } from "../../components/Page";
import { Explained } from "../sequences/Explained";

const patience = 350;

/** The value when it has not changed for a moment. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), patience);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

/** What the server makes of the schedule that is being typed; null while the form itself finds fault with it. */
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
    <Panel title="What this schedule means" className="preview">
      <div aria-live="polite">
        {!complete && data && <p className="muted preview-old">As it was before; what is typed now is not complete.</p>}
        {error ? (
          <ErrorPanel error={error} />
        ) : data ? (
          <Explained explanation={data.explanation} zone={data.zone} compact />
        ) : (
          <p className="muted">Its words and its next five fires show here.</p>
        )}
      </div>
    </Panel>
  );
}
