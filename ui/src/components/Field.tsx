import { useId, type ReactNode } from "react";

/** What binds a control to its label and to what is wrong with it. */
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

/** A labelled control, with what is wrong with its value below it. */
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
