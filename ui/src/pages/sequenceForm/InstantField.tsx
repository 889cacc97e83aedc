import { useState } from "react";
import { useZone, zoneName, type Zone } from "../../app/time";
import { Field } from "../../components/Field";
import { fieldText, instantOf } from "../definitions/inputForm";

interface Props {
  label: string;
  hint: string;
  /** An instant as ISO text, or what was typed when that is none. */
  value: string;
  fault: string | undefined;
  onChange: (value: string) => void;
}

/** A moment, typed in the viewer's zone. */
export function InstantField(props: Props) {
  const [zone] = useZone();
  return <FieldIn key={zone} zone={zone} {...props} />; // in another zone the same instant has another text
}

function FieldIn({ label, hint, value, fault, onChange, zone }: Props & { zone: Zone }) {
  const [text, setText] = useState(() => fieldText(value, zone));
  return (
    <Field label={label} hint={`${hint}, ${zoneName(zone)}`} fault={fault}>
      {(control) => (
        <input
          {...control}
          type="datetime-local"
          step={1}
          value={text}
          onChange={({ target }) => {
            setText(target.value);
            onChange(target.value ? (instantOf(target.value, zone) ?? target.value) : "");
          }}
        />
      )}
    </Field>
  );
}
