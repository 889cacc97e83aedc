import { CalendarDays } from "lucide-react";
import { useEffect, useRef, useState, type ComponentProps } from "react";
import { readDate, showDate } from "./dateText";

interface Props extends Omit<ComponentProps<"input">, "type" | "value" | "onChange"> {
  /** True to accept a time of day as well. */
  time?: boolean;
  /** "2026-11-05", or with a time "2026-11-05T16:30"; any other text is shown as it is. */
  value: string;
  /** Called with the date in the same form, or with the typed text if it is not a date. */
  onChange: (value: string) => void;
}

/**
 * A date field in the format of all pages. A browser's own date field would use the format of the browser's
 * language, so only its calendar is used, beside the text.
 */
export function DateInput({ time = false, value, onChange, ...rest }: Props) {
  const [draft, setDraft] = useState<string>();
  const input = useRef<HTMLInputElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  const text = draft ?? showDate(value);
  const form = time ? "YYYY-MM-DD hh:mm" : "YYYY-MM-DD";
  const wrong = text.trim() !== "" && readDate(text, time) === null;
  useEffect(() => {
    input.current?.setCustomValidity(wrong ? `Invalid date. Expected the format ${form}.` : "");
  }, [wrong, form]);
  const type = (next: string) => {
    setDraft(next);
    onChange(readDate(next, time) ?? next.trim());
  };
  return (
    <span className="date-input">
      <input
        {...rest}
        ref={input}
        type="text"
        value={text}
        placeholder={form}
        autoComplete="off"
        spellCheck={false}
        aria-invalid={wrong || rest["aria-invalid"]}
        onChange={({ target }) => type(target.value)}
        onBlur={() => !wrong && setDraft(undefined)}
      />
      <input
        ref={picker}
        type={time ? "datetime-local" : "date"}
        value={readDate(text, time) ?? ""}
        tabIndex={-1}
        aria-hidden="true"
        onChange={({ target }) => type(target.value)}
        onBlur={() => setDraft(undefined)}
      />
      {/* For the mouse only: with the keyboard, the date is typed. */}
      <button type="button" tabIndex={-1} aria-hidden="true" title="Choose from a calendar" onClick={() => picker.current?.showPicker()}>
        <CalendarDays size={14} />
      </button>
    </span>
  );
}
