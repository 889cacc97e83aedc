import { X } from "lucide-react";
import { createContext, use, useCallback, useState, type ReactNode } from "react";
import { Button } from "./Button";

const ToastContext = createContext<(message: ReactNode) => void>(() => {});

/** Returns a function that shows a short message at the edge for a while; screen readers speak it. */
export function useToast() {
  return use(ToastContext);
}

export function Toasts({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<{ id: number; message: ReactNode }[]>([]);
  const remove = useCallback((id: number) => setToasts((all) => all.filter((toast) => toast.id !== id)), []);
  const add = useCallback(
    (message: ReactNode) => {
      const id = performance.now();
      setToasts((all) => [...all.slice(-2), { id, message }]);
      setTimeout(() => remove(id), 8_000);
    },
    [remove],
  );
  return (
    <ToastContext value={add}>
      {children}
      <div className="toasts" role="status">
        {toasts.map(({ id, message }) => (
          <div key={id} className="toast">
            <span>{message}</span>
            <Button look="quiet" icon={<X size={14} aria-hidden="true" />} aria-label="Dismiss" onClick={() => remove(id)} />
          </div>
        ))}
      </div>
    </ToastContext>
  );
}
