import { useBlocker } from "@tanstack/react-router";
import { Button } from "../../components/Button";
import { Dialog } from "../../components/Dialog";

/** Asks before what was typed is lost: by a link of the page, and by the browser's own question when the tab is closed. */
export function LeaveGuard({ isDirty }: { isDirty: () => boolean }) {
  const blocker = useBlocker({ shouldBlockFn: isDirty, enableBeforeUnload: isDirty, withResolver: true });
  if (blocker.status !== "blocked") return null;
  return (
    <Dialog title="Leave without saving?" onClose={blocker.reset}>
      <p>What you have typed is not saved, and goes when you leave.</p>
      <footer className="dialog-foot">
        <Button onClick={blocker.reset}>Stay</Button>
        <Button look="danger" onClick={blocker.proceed}>
          Leave
        </Button>
      </footer>
    </Dialog>
  );
}
