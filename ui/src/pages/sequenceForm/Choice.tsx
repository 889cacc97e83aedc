import { Field } from "../../components/Field";

interface Props {
  label: string;
  hint: string;
  value: string;
  /** Values, each with its description. */
  options: readonly (readonly [string, string])[];
  onChange: (value: string) => void;
}

/** A field that chooses one of a few policies. */
export function Choice({ label, hint, value, options, onChange }: Props) {
  return (
    <Field label={label} hint={hint}>
      {(control) => (
        <select {...control} value={value} onChange={({ target }) => onChange(target.value)}>
          {options.map(([option, words]) => (
            <option key={option} value={option}>
              {option} – {words}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
