import { useZone } from "../app/time";
import { scheduleText } from "./scheduleText";

/** A schedule as a sentence; a cron expression follows in small print. */
export function ScheduleWords({ words }: { words: string }) {
  const [zone] = useZone();
  const { sentence, expression } = scheduleText(words, zone);
  return expression ? (
    <>
      {sentence} <code className="schedule-cron">{expression}</code>
    </>
  ) : (
    sentence
  );
}
