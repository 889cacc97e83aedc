import { useState } from "react";
import { absoluteText, momentOf, useZone, zoneName, type Zone } from "../../app/time";
import { Button } from "../../components/Button";
import { DateInput } from "../../components/DateInput";
import { readDate } from "../../components/dateText";
import { keyStatuses, type KeySearch } from "./search";

interface Props {
  groups: readonly string[];
  search: KeySearch & { group: string };
  onGo: (search: KeySearch) => void;
}

const shown = (at: string | undefined, zone: Zone, last: boolean) => {
  const moment = Date.parse(at ?? "") - (last ? 1 : 0);
  return Number.isNaN(moment) ? "" : absoluteText(moment, zone).slice(0, 10);
};

const meant = (day: string, zone: Zone, last: boolean) => {
  const moment = momentOf(readDate(day, false) ?? "", zone, last ? 1 : 0);
  return Number.isNaN(moment) ? undefined : new Date(moment).toISOString();
};

/** The form that chooses a group, filters its values, and opens a key. */
export function Filter({ groups, search, onGo }: Props) {
  const [zone] = useZone();
  const [key, setKey] = useState("");
  const names = groups.includes(search.group) ? groups : [search.group, ...groups];
  const status = search.status ?? [];
  return (
    <form
      className="key-filter"
      role="search"
      aria-label="Value filter"
      onSubmit={(event) => {
        event.preventDefault();
        if (key.trim()) onGo({ ...search, key });
      }}
    >
      <label className="field key-group">
        <span>Group</span>
        <select value={search.group} onChange={({ target }) => onGo({ group: target.value })}>
          {names.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      <label className="field">
        <span>
          Modified from <span className="faint">{zoneName(zone)}</span>
        </span>
        <DateInput
          value={shown(search.from, zone, false)}
          onChange={(day) => onGo({ ...search, from: meant(day, zone, false) })}
        />
      </label>
      <label className="field">
        <span>
          Until <span className="faint">{zoneName(zone)}</span>
        </span>
        <DateInput
          value={shown(search.to, zone, true)}
          onChange={(day) => onGo({ ...search, to: meant(day, zone, true) })}
        />
      </label>
      <label className="field">
        <span>Go to key</span>
        <input value={key} maxLength={1000} autoComplete="off" spellCheck={false} onChange={({ target }) => setKey(target.value)} />
      </label>
      <Button type="submit" disabled={!key.trim()}>
        Open
      </Button>
      {(search.from || search.to || search.status) && (
        <Button look="quiet" onClick={() => onGo({ group: search.group, key: search.key })}>
          Clear filters
        </Button>
      )}
      <fieldset className="key-statuses">
        <legend className="sr-only">Status</legend>
        {keyStatuses.map((each) => (
          <label key={each} className="check-label">
            <input
              type="checkbox"
              checked={status.includes(each)}
              onChange={({ target }) =>
                onGo({ ...search, status: target.checked ? [...status, each] : status.filter((one) => one !== each) })
              }
            />
            {each}
          </label>
        ))}
      </fieldset>
    </form>
  );
}
