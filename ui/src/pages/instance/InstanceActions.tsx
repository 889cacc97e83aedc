import { useNavigate } from "@tanstack/react-router";
import { MoreHorizontal } from "lucide-react";
import { useState, type ReactNode } from "react";
import type { InstanceDetail } from "../../api/schema";
import { useMay } from "../../app/session";
import { Button } from "../../components/Button";
import { Menu, MenuItem, MenuLine } from "../../components/Menu";
import { MoveDialog, SignalDialog, SimpleDialog, VariablesDialog } from "./dialogs";

export type ActionName = InstanceDetail["allowed"][number];

export const actionWords: Record<ActionName, string> = {
  wake: "Wake now",
  retry: "Retry now",
  resume: "Resume",
  pause: "Pause",
  signal: "Send signal",
  move: "Move to a state",
  editVariables: "Edit variables",
  cancel: "Cancel",
};

const order: readonly ActionName[] = ["wake", "retry", "resume", "pause", "signal", "move", "editVariables", "cancel"];

/** Returns the dialog of the current action, and a function that opens one. */
export function useActions(instance: InstanceDetail): { open: (action: ActionName) => void; dialog: ReactNode } {
  const [action, setAction] = useState<ActionName>();
  const close = () => setAction(undefined);
  const dialog = (() => {
    switch (action) {
      case undefined:
        return null;
      case "move":
        return <MoveDialog instance={instance} onClose={close} />;
      case "signal":
        return <SignalDialog instance={instance} onClose={close} />;
      case "editVariables":
        return <VariablesDialog instance={instance} onClose={close} />;
      default:
        return <SimpleDialog instance={instance} action={action} onClose={close} />;
    }
  })();
  return { open: setAction, dialog };
}

/** The menu of the actions that are possible on the instance now. */
export function InstanceActions({ instance, open }: { instance: InstanceDetail; open: (action: ActionName) => void }) {
  const navigate = useNavigate();
  const may = useMay();
  const main = instance.why.unblock;
  const first = main && instance.allowed.includes(main) ? main : undefined;
  const rest = order.filter((action) => action !== first && instance.allowed.includes(action));
  const mayStart = may("POST /instances");
  if (!rest.length && !mayStart) return null;
  return (
    <Menu
      label="Actions"
      trigger={
        <Button icon={<MoreHorizontal size={15} aria-hidden="true" />} aria-label="Actions">
          Actions
        </Button>
      }
    >
      {rest.map((action) => (
        <MenuItem key={action} danger={action === "cancel"} onSelect={() => open(action)}>
          {actionWords[action]}
        </MenuItem>
      ))}
      {mayStart && (
        <>
          {rest.length > 0 && <MenuLine />}
          <MenuItem
            onSelect={() =>
              void navigate({
                to: "/definitions/$type",
                params: { type: instance.type },
                search: { version: instance.version, start: String(instance.id) },
              })
            }
          >
            Start a copy
          </MenuItem>
        </>
      )}
    </Menu>
  );
}
