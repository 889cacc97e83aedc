import { useNavigate } from "@tanstack/react-router";
import { MoreHorizontal } from "lucide-react";
import { useState, type ReactNode } from "react";
import type { InstanceDetail } from "../../api/schema";
import { useMay } from "../../app/session";
import { Button } from "../../components/Button";
import { Menu, MenuItem, MenuLine } from "../../components/Menu";
import { MoveDialog, SignalDialog, SimpleDialog, VariablesDialog } from "./dialogs";

export type DeedName = InstanceDetail["allowed"][number];

export const deedWords: Record<DeedName, string> = {
  wake: "Wake now",
  retry: "Retry now",
  resume: "Resume",
  pause: "Pause",
  signal: "Send signal",
  move: "Move to a state",
  editVariables: "Edit variables",
  cancel: "Cancel",
};

const order: readonly DeedName[] = ["wake", "retry", "resume", "pause", "signal", "move", "editVariables", "cancel"];

/** The dialog of a deed, one at a time. */
export function useDeeds(instance: InstanceDetail): { open: (deed: DeedName) => void; dialog: ReactNode } {
  const [deed, setDeed] = useState<DeedName>();
  const close = () => setDeed(undefined);
  const dialog = (() => {
    switch (deed) {
      case undefined:
        return null;
      case "move":
        return <MoveDialog instance={instance} onClose={close} />;
      case "signal":
        return <SignalDialog instance={instance} onClose={close} />;
      case "editVariables":
        return <VariablesDialog instance={instance} onClose={close} />;
      default:
        return <SimpleDialog instance={instance} action={deed} onClose={close} />;
    }
  })();
  return { open: setDeed, dialog };
}

/** What can be done to the instance now; what cannot is not offered. */
export function InstanceActions({ instance, open }: { instance: InstanceDetail; open: (deed: DeedName) => void }) {
  const navigate = useNavigate();
  const may = useMay();
  const main = instance.why.unblock;
  const first = main && instance.allowed.includes(main) ? main : undefined;
  const rest = order.filter((deed) => deed !== first && instance.allowed.includes(deed));
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
      {rest.map((deed) => (
        <MenuItem key={deed} danger={deed === "cancel"} onSelect={() => open(deed)}>
          {deedWords[deed]}
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
            Start another like it
          </MenuItem>
        </>
      )}
    </Menu>
  );
}
