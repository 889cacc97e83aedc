import { useBlocker } from "@tanstack/react-router";
import { Button } from "../../components/Button";
import { Dialog } from "../../components/Dialog";

/** Asks before unsaved input is lost, on a link of the page and, by the browser's own dialog, on closing the tab. */
export function LeaveGuard({ isDirty }: { isDirty: () => boolean }) {
  const blocker = useBlocker({ shouldBlockFn: isDirty, enableBeforeUnload: isDirty, withResolver: true });
  if (blocker.status !== "blocked") return null;
  return (
    <Dialog title="Leave without saving?" onClose={blocker.reset}>
      <p>Your changes are not saved. If you leave, they are lost.</p>
      <footer className="dialog-foot">
        <Button onClick={blocker.reset}>Stay</Button>
        <Button look="danger" onClick={blocker.proceed}>
          Leave
        </Button>
      </footer>
    </Dialog>
  );
}
