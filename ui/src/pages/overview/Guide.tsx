import { Link } from "@tanstack/react-router";
import { X } from "lucide-react";
import { usePreference } from "../../app/preferences";
import { useSession } from "../../app/session";
import { Button } from "../../components/Button";

/** Three first steps, shown in the demo until they are dismissed. */
export function Guide() {
  const { notice } = useSession();
  const [seen, setSeen] = usePreference<"no" | "yes">("guide-seen", "no");
  if (!notice || seen === "yes") return null;
  return (
    <aside className="guide" aria-label="Three first steps">
      <header>
        <h2>Three things to try</h2>
        <Button
          look="quiet"
          icon={<X size={14} aria-hidden="true" />}
          aria-label="Dismiss the first steps"
          onClick={() => setSeen("yes")}
        />
      </header>
      <ol>
        <li>
          <b>Retry a failure group.</b> Some orders failed for two reasons. Open <Link to="/problems">Problems</Link>, press
          Retry group, and watch it finish.
        </li>
        <li>
          <b>Find out why an instance waits.</b> Open an <Link to="/instances" search={{ status: ["inProgress"] }}>instance in progress</Link>:
          one sentence says why it is in its state, and the button beside it lets it continue.
        </li>
        <li>
          <b>Start a workflow.</b> Choose a <Link to="/definitions">definition</Link>, fill in the input, and follow the
          instance through its graph.
        </li>
      </ol>
    </aside>
  );
}
