import { Search, X } from "lucide-react";
import { useId, useState, type KeyboardEvent, type Ref } from "react";
import { serverNow } from "../../api/client";
import { absoluteText, useZone } from "../../app/time";
import type { Filter } from "./filter";
import { chips, openedBy, parseLine, suggestions } from "./tokens";

/** The filter as chips, and an input that adds filters. */
export function TokenSearch({
  filter,
  types,
  onChange,
  onOpen,
  inputRef,
}: {
  filter: Filter;
  types: readonly string[];
  onChange: (filter: Filter) => void;
  onOpen: (id: number) => void;
  inputRef: Ref<HTMLInputElement>;
}) {
  const [text, setText] = useState("");
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const [error, setError] = useState("");
  const [zone] = useZone();
  const list = useId();
  const offered = open ? suggestions(text, types) : [];
  const shown = chips(filter, (at) => absoluteText(Date.parse(at), zone).slice(0, 16));

  const take = (token: string) => {
    if (token.endsWith(":")) {
      setText(token);
      setActive(-1);
      return;
    }
    const id = openedBy(token);
    if (id) {
      onOpen(id);
      return;
    }
    const parsed = parseLine(token, filter, serverNow(), zone);
    if ("error" in parsed) {
      setError(parsed.error);
      return;
    }
    setText("");
    setError("");
    setActive(-1);
    setOpen(false);
    onChange(parsed.filter);
  };

  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      setOpen(true);
      const step = event.key === "ArrowDown" ? 1 : -1;
      setActive((before) => Math.max(-1, Math.min(offered.length - 1, before + step)));
    } else if (event.key === "Enter") {
      event.preventDefault();
      const chosen = offered[active]?.text ?? text;
      if (chosen.trim()) take(chosen);
    } else if (event.key === "Tab" && open && offered.length && text) {
      const first = offered[Math.max(0, active)];
      if (first && first.text !== text) {
        event.preventDefault();
        take(first.text);
      }
    } else if (event.key === "Escape") {
      if (open && text) setText("");
      else event.currentTarget.blur();
      setOpen(false);
    } else if (event.key === "Backspace" && !text) {
      const last = shown.at(-1);
      if (last) onChange(last.without);
    }
  };

  return (
    <div className="tokens">
      <div className="tokens-box">
        <Search size={14} aria-hidden="true" />
        {shown.map(({ label, without }) => (
          <button
            key={label}
            type="button"
            className="chip"
            aria-label={`Remove the filter ${label}`}
            onClick={() => onChange(without)}
          >
            <span>{label}</span>
            <X size={12} aria-hidden="true" />
          </button>
        ))}
        <input
          ref={inputRef}
          value={text}
          placeholder={shown.length ? "Add filters" : "Id, start of a key, or filters such as status:failed created:today"}
          aria-label="Filter"
          role="combobox"
          aria-expanded={offered.length > 0}
          aria-controls={list}
          aria-activedescendant={active >= 0 ? `${list}-${active}` : undefined}
          aria-describedby={error ? `${list}-error` : undefined}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => {
            setText(event.target.value);
            setError("");
            setActive(-1);
            setOpen(true);
          }}
          onFocus={() => setOpen(true)}
          onBlur={() => setOpen(false)}
          onKeyDown={onKeyDown}
        />
        {!text && !open && <kbd aria-hidden="true">/</kbd>}
      </div>
      <ul id={list} role="listbox" aria-label="Filters" className="tokens-list" hidden={offered.length === 0}>
        {offered.map((offer, index) => (
          <li
            key={offer.text}
            id={`${list}-${index}`}
            role="option"
            aria-selected={index === active}
            onMouseDown={(event) => {
              event.preventDefault(); // the box keeps the focus
              take(offer.text);
            }}
          >
            <code>{offer.text}</code>
            <span>{offer.meaning}</span>
          </li>
        ))}
      </ul>
      {error && (
        <p id={`${list}-error`} className="tokens-error" role="alert">
          {error}
        </p>
      )}
    </div>
  );
}
