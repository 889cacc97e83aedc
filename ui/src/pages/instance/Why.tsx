import { TriangleAlert } from "lucide-react";
import { absoluteText, useZone } from "../../app/time";
import type { InstanceDetail } from "../../api/schema";
import { Button } from "../../components/Button";
import { shortReason } from "../../components/reason";
import { StatusIcon } from "../../components/StatusBadge";
import { actionWords, type ActionName } from "./InstanceActions";
import { readable } from "./sentence";

/** Reasons by which an instance that should continue cannot. */
const troubles = new Set<InstanceDetail["why"]["kind"]>(["executor", "unknownType", "holderGone"]);
const stopped = new Set<InstanceDetail["why"]["kind"]>(["backingOff", "paused", "manual"]);

/** One sentence that says why the instance is in its state, with the action that helps. */
export function Why({ instance, open }: { instance: InstanceDetail; open: (action: ActionName) => void }) {
  const [zone] = useZone();
  const { sentence, unblock, kind } = instance.why;
  const trouble = troubles.has(kind);
  const look = instance.status === "failed" ? "why-bad" : trouble || stopped.has(kind) ? "why-warn" : "";
  return (
    <div className={`why ${look}`}>
      {trouble ? <TriangleAlert size={16} aria-hidden="true" /> : <StatusIcon status={instance.status} size={16} />}
      <p title={sentence}>{readable(shortReason(sentence), (at) => absoluteText(at, zone))}</p>
      {unblock && instance.allowed.includes(unblock) && (
        <Button look="primary" onClick={() => open(unblock)}>
          {unblock === "signal" && instance.why.signal ? `Send ${instance.why.signal}` : actionWords[unblock]}
        </Button>
      )}
    </div>
  );
}
