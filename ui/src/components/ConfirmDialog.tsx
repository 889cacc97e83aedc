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
  /** What will happen. */
  children?: ReactNode;
  /** Says what to do, given the reason that was typed. */
  action: (reason: string) => Action<O>;
  confirm: string;
  danger?: boolean;
  /** Must be typed before the button works; for what touches many instances. */
  typed?: string;
  /** Left out, the action has no reason. */
  withReason?: boolean;
  /** False while what the children ask for is not complete. */
  ready?: boolean;
  /** What is shown in place of an error; undefined for the error as it is. */
  onTrouble?: (error: Error, forget: () => void) => ReactNode;
  onDone?: (answer: Answer<O>) => void;
  onClose: () => void;
}

/** Asks before an action, takes the reason, does it, and shows the same for a terminal. */
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
      // What is shown is not as it is by now.
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
              Reason <span className="faint">is written into the history</span>
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
