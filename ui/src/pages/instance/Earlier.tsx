import { countText } from "../../components/number";
import { newest } from "./history";
import { More } from "./More";
import type { useHistory } from "./useHistory";

/** A button below the loaded history that loads earlier entries. */
export function Earlier({ history: { query, earlier, readEarlier } }: { history: ReturnType<typeof useHistory> }) {
  if (earlier === 0) return null;
  const words = `Load ${countText(Math.min(newest, earlier))} of ${countText(earlier)} earlier entries`;
  return <More reading={query.isPlaceholderData} words={words} onMore={readEarlier} />;
}
