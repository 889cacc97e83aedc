import { Info } from "lucide-react";
import { absoluteText, useZone } from "../../app/time";
import type { InstanceDetail } from "../../api/schema";
import { Button } from "../../components/Button";
import { deedWords, type DeedName } from "./InstanceActions";
import { readable } from "./sentence";

/** One sentence on why the instance is where it is, with what helps beside it. */
export function Why({ instance, open }: { instance: InstanceDetail; open: (deed: DeedName) => void }) {
  const [zone] = useZone();
  const { sentence, unblock, kind } = instance.why;
  return (
    <div className={`why why-${kind}`}>
      <Info size={16} aria-hidden="true" />
      <p>{readable(sentence, (at) => absoluteText(at, zone))}</p>
      {unblock && instance.allowed.includes(unblock) && (
        <Button look="primary" onClick={() => open(unblock)}>
          {unblock === "signal" && instance.why.signal ? `Send ${instance.why.signal}` : deedWords[unblock]}
        </Button>
      )}
    </div>
  );
}
