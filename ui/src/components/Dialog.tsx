import { X } from "lucide-react";
import { useEffect, useId, useRef, type ReactNode } from "react";
import { Button } from "./Button";

/** What had the focus; for a menu that closes, its button. */
function opener(): HTMLElement | null {
  const active = document.activeElement;
  const button = active?.closest("[role=menu]")?.getAttribute("aria-labelledby");
  return button ? document.getElementById(button) : active instanceof HTMLElement ? active : null;
}

/** A modal dialog; the browser keeps the focus inside and closes it with Escape. The focus begins in the first field, and goes back to where it was. */
export function Dialog({ title, onClose, children }: { title: string; onClose: () => void; children: ReactNode }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    const before = opener();
    dialog.current?.showModal();
    dialog.current?.querySelector<HTMLElement>("input, select, textarea")?.focus();
    return () => before?.focus();
  }, []);
  return (
    <dialog
      ref={dialog}
      className="dialog"
      aria-labelledby={heading}
      onClose={onClose}
      onMouseDown={(event) => event.target === dialog.current && onClose()}
    >
      <div className="dialog-box">
        <header className="dialog-head">
          <h2 id={heading}>{title}</h2>
          <Button look="quiet" icon={<X size={16} aria-hidden="true" />} aria-label="Close" onClick={onClose} />
        </header>
        {children}
      </div>
    </dialog>
  );
}
