import { X } from "lucide-react";
import { useEffect, useId, useRef, useState, type KeyboardEvent, type MouseEvent, type ReactNode } from "react";
import { Button } from "./Button";

interface Props {
  title: string;
  onClose: () => void;
  /** True while only its own buttons close the dialog: a request is running, or the content is shown only once. */
  stays?: boolean;
  children: ReactNode;
}

/** Returns the element with the focus; for a menu that is closing, its button. */
function opener(): HTMLElement | null {
  const active = document.activeElement;
  const button = active?.closest("[role=menu]")?.getAttribute("aria-labelledby");
  return button ? document.getElementById(button) : active instanceof HTMLElement ? active : null;
}

/**
 * A modal dialog; the browser keeps the focus inside. The focus starts in the first field, and returns to where it
 * was. Escape or a click beside the dialog can be a mistake, so both ask before they discard typed input.
 */
export function Dialog({ title, onClose, stays = false, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const typed = useRef(false);
  const place = useRef<Element>(null);
  const [asks, setAsks] = useState(false);
  const heading = useId();
  useEffect(() => {
    const before = opener();
    dialog.current?.showModal();
    dialog.current?.querySelector<HTMLElement>("input, select, textarea")?.focus();
    return () => before?.focus();
  }, []);
  const dismiss = () => {
    if (stays) return;
    if (!typed.current) return onClose();
    if (!asks) place.current = document.activeElement;
    setAsks(true);
  };
  const goOn = () => {
    setAsks(false);
    if (place.current instanceof HTMLElement) place.current.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || event.nativeEvent.isComposing || !(stays || typed.current)) return;
    event.preventDefault(); // otherwise the browser closes the dialog at the second Escape
    if (asks) goOn();
    else dismiss();
  };
  const onMouseDown = (event: MouseEvent) => {
    if (event.target === dialog.current) dismiss();
  };
  return (
    <dialog
      ref={dialog}
      className="dialog"
      aria-labelledby={heading}
      onKeyDown={onKeyDown}
      onMouseDown={onMouseDown}
      onInput={() => {
        typed.current = true;
      }}
      onCancel={(event) => {
        event.preventDefault();
        dismiss();
      }}
      onClose={() => {
        if (!stays && !typed.current) return onClose();
        dialog.current?.showModal(); // for example by the "back" gesture of a phone
        dismiss();
      }}
    >
      <div className="dialog-box">
        <header className="dialog-head">
          <h2 id={heading}>{title}</h2>
          <Button look="quiet" icon={<X size={16} aria-hidden="true" />} aria-label="Close" onClick={onClose} />
        </header>
        {children}
        {asks && !stays && (
          <div className="dialog-ask" role="alert">
            <span>Your input is not saved.</span>
            <span className="cell-buttons">
              <Button onClick={goOn}>Keep editing</Button>
              <Button look="danger" onClick={onClose}>
                Discard
              </Button>
            </span>
          </div>
        )}
      </div>
    </dialog>
  );
}
