import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useId, useState, type ReactNode } from "react";
import { ApiError, type Answer, type Operation } from "../api/client";
import { perform, type Action } from "../api/actions";
import { ActionHelp } from "./ActionHelp";
import { Button } from "./Button";
import { Dialog } from "./Dialog";
import { ErrorPanel } from "./ErrorPanel";

interface Props<O extends Operation> {
  title: string;
  /** Description of what the action does. */
  children?: ReactNode;
  /** Returns the action for the typed reason. */
  action: (reason: string) => Action<O>;
  confirm: string;
  danger?: boolean;
  /** Text that must be typed before the button works, for actions on many instances. */
  typed?: string;
  /** False for an action that takes no reason. */
  withReason?: boolean;
  /** False while the input in the children is incomplete. */
  ready?: boolean;
  /** Returns the content to show instead of an error; undefined to show the error itself. */
  onTrouble?: (error: Error, forget: () => void) => ReactNode;
  onDone?: (answer: Answer<O>) => void;
  onClose: () => void;
}

/** A dialog that asks for confirmation and a reason, performs the action, and shows the same for a terminal. */
export function ConfirmDialog<O extends Operation>(props: Props<O>) {
  const { title, children, confirm, danger, typed, withReason = true, ready = true, onClose } = props;
  const [reason, setReason] = useState("");
  const [text, setText] = useState("");
  const [key] = useState(() => `ui-${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`);
  const ids = useId();
  const client = useQueryClient();
  const action = props.action(reason.trim());
  const readAgain = () => void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== "session" });
  const run = useMutation({
    mutationFn: () => perform(action, key),
    onSuccess: (answer) => {
      readAgain();
      props.onDone?.(answer);
      onClose();
    },
    onError: (error) => {
      // The page is out of date.
      if (error instanceof ApiError && error.status === 409) readAgain();
    },
  });
  const blocked = run.isPending || !ready || (typed !== undefined && text.trim() !== typed);
  return (
    <Dialog title={title} onClose={onClose} stays={run.isPending}>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          if (!blocked) run.mutate();
        }}
      >
        {children}
        {withReason && (
          <label className="field">
            <span>
              Reason <span className="faint">recorded in the history</span>
            </span>
            <input value={reason} maxLength={1000} onChange={(event) => setReason(event.target.value)} />
          </label>
        )}
        {typed !== undefined && (
          <label className="field" htmlFor={`${ids}typed`}>
            <span>
              Type <code>{typed}</code> to confirm
            </span>
            <input
              id={`${ids}typed`}
              value={text}
              autoComplete="off"
              inputMode="numeric"
              onChange={(event) => setText(event.target.value)}
            />
          </label>
        )}
        <ActionHelp action={action as Action} />
        {run.error && (props.onTrouble?.(run.error, run.reset) ?? <ErrorPanel error={run.error} />)}
        <footer className="dialog-foot">
          <Button onClick={onClose}>Dismiss</Button>
          <Button type="submit" look={danger ? "danger" : "primary"} disabled={blocked}>
            {run.isPending ? "Working…" : confirm}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
