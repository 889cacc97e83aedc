import { useId, type ReactNode } from "react";

/** Attributes that bind a control to its label and its error message. */
export interface Control {
  id: string;
  "aria-invalid": boolean;
  "aria-describedby": string | undefined;
}

interface Props {
  label: string;
  hint?: ReactNode;
  fault?: string | null;
  children: (control: Control) => ReactNode;
}

/** A labeled control, with the error message of its value below. */
export function Field({ label, hint, fault, children }: Props) {
  const id = useId();
  return (
    <div className="field">
      <label className="field-name" htmlFor={id}>
        {label} {hint && <span className="faint">{hint}</span>}
      </label>
      {children({ id, "aria-invalid": Boolean(fault), "aria-describedby": fault ? `${id}fault` : undefined })}
      {fault && (
        <div className="field-fault" id={`${id}fault`}>
          {fault}
        </div>
      )}
    </div>
  );
}
