import { useState } from "react";
import { useZone, zoneName, type Zone } from "../../app/time";
import { DateInput } from "../../components/DateInput";
import { Field } from "../../components/Field";
import { fieldText, instantOf } from "../definitions/inputForm";

interface Props {
  label: string;
  hint: string;
  /** Instant as ISO text, or the typed text if it is not a time. */
  value: string;
  fault: string | undefined;
  onChange: (value: string) => void;
}

/** A field for a moment in the viewer's zone. */
export function InstantField(props: Props) {
  const [zone] = useZone();
  return <FieldIn key={zone} zone={zone} {...props} />; // in another zone the same instant has another text
}

function FieldIn({ label, hint, value, fault, onChange, zone }: Props & { zone: Zone }) {
  const [text, setText] = useState(() => fieldText(value, zone));
  return (
    <Field label={label} hint={`${hint}, ${zoneName(zone)}`} fault={fault}>
      {(control) => (
        <DateInput
          {...control}
          time
          value={text}
          onChange={(next) => {
            setText(next);
            onChange(instantOf(next, zone) ?? next);
          }}
        />
      )}
    </Field>
  );
}
