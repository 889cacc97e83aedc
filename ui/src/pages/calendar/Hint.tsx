import { useEffect, useRef, useState, type FocusEvent, type MouseEvent, type ReactNode } from "react";

interface Shown {
  text: string;
  left: number;
  top: number;
  above: boolean;
}

/**
 * Shows the `data-hint` of an element inside while the pointer is over it or it has the focus. One component serves
 * hundreds of elements. Screen readers get the same text from the elements' own labels.
 */
export function Hints({ children, className }: { children: ReactNode; className?: string }) {
  const [shown, setShown] = useState<Shown | null>(null);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!shown) return;
    const onKey = ({ key }: KeyboardEvent) => key === "Escape" && setShown(null);
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [shown]);
  const look = (target: EventTarget) => {
    const element = target instanceof Element ? target : null;
    if (element && box.current?.contains(element)) return; // the pointer may be over the hint itself
    const place = element?.closest<HTMLElement>("[data-hint]");
    if (!place?.dataset.hint) return setShown(null);
    const { left, top, bottom } = place.getBoundingClientRect();
    const above = bottom > window.innerHeight - 150;
    setShown({
      text: place.dataset.hint,
      left: Math.max(8, Math.min(left, window.innerWidth - 348)),
      top: above ? window.innerHeight - top : bottom,
      above,
    });
  };
  return (
    <div
      className={className}
      onMouseOver={(event: MouseEvent) => look(event.target)}
      onMouseLeave={() => setShown(null)}
      onFocus={(event: FocusEvent) => event.target.matches(":focus-visible") && look(event.target)}
      onBlur={() => setShown(null)}
      onClick={() => setShown(null)}
    >
      {children}
      {shown && (
        <div
          ref={box}
          className="hint"
          role="tooltip"
          style={{ left: shown.left, [shown.above ? "bottom" : "top"]: shown.top }}
        >
          {shown.text.split("\n").map((line, index) => (
            <span key={index}>{line}</span>
          ))}
        </div>
      )}
    </div>
  );
}
