import { stateWords, type JobState } from "./words";

export function JobStateTag({ state }: { state: JobState }) {
  const { word, look } = stateWords[state];
  return <span className={`tag ${look}`}>{word}</span>;
}
