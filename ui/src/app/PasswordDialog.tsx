import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../api/client";
import { Button } from "../components/Button";
import { Dialog } from "../components/Dialog";
import { ErrorPanel } from "../components/ErrorPanel";
import { useToast } from "../components/Toast";

export function PasswordDialog({ onClose }: { onClose: () => void }) {
  const [old, setOld] = useState("");
  const [next, setNext] = useState("");
  const toast = useToast();
  const change = useMutation({
    mutationFn: () => api("PUT /session/password", { body: { old, new: next } }),
    onSuccess: () => {
      toast("Password changed. Your other sessions have ended.");
      onClose();
    },
  });
  return (
    <Dialog title="Change password" onClose={onClose} stays={change.isPending}>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          change.mutate();
        }}
      >
        <label className="field">
          <span>Current password</span>
          <input type="password" autoComplete="current-password" required value={old} onChange={(e) => setOld(e.target.value)} />
        </label>
        <label className="field">
          <span>
            New password <span className="faint">at least 12 characters</span>
          </span>
          <input
            type="password"
            autoComplete="new-password"
            required
            minLength={12}
            maxLength={200}
            value={next}
            onChange={(e) => setNext(e.target.value)}
          />
        </label>
        {change.error && <ErrorPanel error={change.error} />}
        <footer className="dialog-foot">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" disabled={change.isPending}>
            Change
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
