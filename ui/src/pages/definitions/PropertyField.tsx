import { useId, type ComponentProps } from "react";
import { zoneName, type Zone } from "../../app/time";
import { DateInput } from "../../components/DateInput";
import { fieldFault, type InputField } from "./inputForm";

/** A field for one property of an instance's input, with its error message. */
export function PropertyField({
  field,
  zone,
  onChange,
}: {
  field: InputField;
  zone: Zone;
  onChange: (value: string) => void;
}) {
  const { name, kind, value, required } = field;
  const faultId = useId();
  const fault = fieldFault(field);
  if (kind === "boolean" && required !== false) {
    return (
      <label className="check-label">
        <input type="checkbox" checked={value === "true"} onChange={(event) => onChange(String(event.target.checked))} />
        <span className="mono">{name}</span>
      </label>
    );
  }
  const attributes = {
    value,
    required,
    "aria-invalid": Boolean(fault),
    "aria-describedby": fault ? faultId : undefined,
    onChange: (event: { target: { value: string } }) => onChange(event.target.value),
  };
  return (
    <div className="field">
      <label className="field">
        <span>
          <span className="mono">{name}</span>
          {kind === "dateTime" && <span className="faint"> {zoneName(zone)}</span>}
          {required && (
            <span className="faint" aria-hidden="true">
              {kind === "dateTime" ? ", required" : " required"}
            </span>
          )}
        </span>
        <Control field={field} attributes={attributes} />
      </label>
      {fault && (
        <div className="field-fault" id={faultId}>
          {fault}
        </div>
      )}
    </div>
  );
}

function Control({
  field: { kind, value, choices, required },
  attributes,
}: {
  field: InputField;
  attributes: Pick<ComponentProps<"input">, "required" | "aria-invalid" | "aria-describedby"> & {
    value: string;
    onChange: (event: { target: { value: string } }) => void;
  };
}) {
  switch (kind) {
    case "choice":
    case "boolean":
      return (
        <select {...attributes}>
          {(!required || !value) && <option value="">{required ? "choose…" : ""}</option>}
          {(kind === "choice" ? choices : ["true", "false"])?.map((choice) => <option key={choice}>{choice}</option>)}
        </select>
      );
    case "date":
    case "dateTime":
      return <DateInput {...attributes} time={kind === "dateTime"} onChange={(text) => attributes.onChange({ target: { value: text } })} />;
    case "integer":
      return <input inputMode="numeric" autoComplete="off" spellCheck={false} {...attributes} />;
    case "number":
      return <input inputMode="decimal" autoComplete="off" spellCheck={false} {...attributes} />;
    default:
      return kind === "json" || value.includes("\n") ? (
        <textarea rows={2} spellCheck={kind === "text"} {...attributes} />
      ) : (
        <input autoComplete="off" spellCheck {...attributes} />
      );
  }
}
