import { Pause, Play } from "lucide-react";
import { Button } from "../components/Button";
import { useLive, type LiveState } from "../live/live";

const words: Record<LiveState, [string, string]> = {
  live: ["Live", "Changes show as they happen."],
  connecting: ["Connecting", "Waiting for the server's events."],
  polling: ["Every 5 s", "Events do not arrive, so the page polls every five seconds."],
  silent: ["Not live", "The server has sent nothing for five seconds. The page resumes by itself when the server is back."],
  paused: ["Paused", "The page stays as it is until you resume."],
  hidden: ["Hidden", "Waits until the tab is shown again."],
};

/** The state of live updates, and the button that pauses and resumes them. */
export function LiveIndicator() {
  const { state, pause, resume } = useLive();
  const [word, meaning] = words[state];
  const paused = state === "paused";
  return (
    <div className={`live live-${state}`} title={meaning}>
      <span className="live-dot" aria-hidden="true" />
      <span role="status">{word}</span>
      <Button
        look="quiet"
        aria-label={paused ? "Resume live updates" : "Pause live updates"}
        icon={paused ? <Play size={14} aria-hidden="true" /> : <Pause size={14} aria-hidden="true" />}
        onClick={paused ? resume : pause}
      />
    </div>
  );
}
