import { useQuery } from "@tanstack/react-query";
import { TriangleAlert } from "lucide-react";
import { useState } from "react";
import { ApiError, serverNow } from "../../api/client";
import { keyValueQueries, setValue } from "../../api/data";
import type { KeyValue } from "../../api/schema";
import { Button } from "../../components/Button";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { Field } from "../../components/Field";
import { ErrorPanel } from "../../components/ErrorPanel";
import { Loaded } from "../../components/Loaded";
import { useToast } from "../../components/Toast";
import { contentOf, emptyForm, formOf, keyFaults, type KeyForm } from "./form";
import { keyStatuses } from "./search";

interface Props {
  group: string;
  /** Value to change; null for a new value. */
  before: KeyValue | null;
  onDone?: (at: { group: string; key: string }) => void;
  onClose: () => void;
}

/** A dialog that writes a value, but only over the version that was shown. */
export function ValueDialog({ group: given, before, onDone, onClose }: Props) {
  const toast = useToast();
  const [seen, setSeen] = useState(before);
  const [group, setGroup] = useState(given);
  const [form, setForm] = useState<KeyForm>(() => (before ? formOf(before, serverNow()) : emptyForm));
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const all = keyFaults(form);
  const change = (part: Partial<KeyForm>) => {
    setForm((was) => ({ ...was, ...part }));
    setTouched((was) => new Set([...was, ...Object.keys(part)]));
  };
  const fault = (name: keyof KeyForm) => (touched.has(name) ? all[name] : undefined);
  const ready = Object.keys(all).length === 0 && group.trim() !== "";
  const key = seen ? seen.key : form.key;
  return (
    <ConfirmDialog
      title={before ? `Change ${before.key}` : "Add value"}
      action={() => setValue(group, key, ready ? contentOf(form) : { ...contentOf(emptyForm) }, seen?.version ?? null)}
      confirm={before ? "Save" : "Add"}
      withReason={false}
      ready={ready}
      onTrouble={(error, forget) =>
        error instanceof ApiError && error.status === 412 ? (
          <Meanwhile
            group={group}
            name={key}
            onKeep={(now) => {
              setSeen(now);
              forget();
            }}
            onTake={(now) => {
              setSeen(now);
              setForm(formOf(now, serverNow()));
              forget();
            }}
          />
        ) : undefined
      }
      onDone={({ version }) => {
        toast(`Saved ${key}, version ${version}`);
        onDone?.({ group, key });
      }}
      onClose={onClose}
    >
      {!before && (
        <div className="field-row">
          <Field label="Group">
            {(control) => (
              <input {...control} value={group} maxLength={1000} required autoComplete="off" onChange={({ target }) => setGroup(target.value)} />
            )}
          </Field>
          <Field label="Key" fault={fault("key")}>
            {(control) => (
              <input {...control} value={form.key} maxLength={1000} required autoComplete="off" onChange={({ target }) => change({ key: target.value })} />
            )}
          </Field>
        </div>
      )}
      <Field label="Value" hint="any text, at most 32 KiB" fault={all.value}>
        {(control) => (
          <textarea {...control} rows={6} value={form.value} spellCheck={false} onChange={({ target }) => change({ value: target.value })} />
        )}
      </Field>
      <div className="field-row">
        <Field label="Status" hint="for information only">
          {(control) => (
            <select {...control} value={form.status} onChange={({ target }) => change({ status: target.value as KeyForm["status"] })}>
              {keyStatuses.map((each) => (
                <option key={each}>{each}</option>
              ))}
            </select>
          )}
        </Field>
        <Field label="Expires after" hint="seconds; empty for never" fault={fault("expires")}>
          {(control) => (
            <input {...control} value={form.expires} inputMode="numeric" autoComplete="off" onChange={({ target }) => change({ expires: target.value })} />
          )}
        </Field>
      </div>
    </ConfirmDialog>
  );
}

interface MeanwhileProps {
  group: string;
  name: string;
  onKeep: (now: KeyValue) => void;
  onTake: (now: KeyValue) => void;
}

/** A warning that another user has written the value meanwhile, with the choice between both values. */
function Meanwhile({ group, name, onKeep, onTake }: MeanwhileProps) {
  const value = useQuery({ ...keyValueQueries.one(group, name), staleTime: 0, gcTime: 0 });
  if (value.error) return <ErrorPanel error={value.error} />;
  return (
    <div className="error-panel" role="alert">
      <TriangleAlert size={16} aria-hidden="true" />
      <div>
        <strong>Another user has changed the value meanwhile</strong>
        <p>Your change was not saved. The current value is:</p>
        {value.isFetching ? (
          <p>…</p>
        ) : (
          <Loaded query={value}>
            {(now) => (
              <>
                <pre className="key-theirs" tabIndex={0} role="region" aria-label="Current value">
                  {now.value}
                </pre>
                <p>
                  Version {now.version}, {now.status}.
                </p>
                <span className="cell-buttons">
                  <Button onClick={() => onTake(now)}>Discard my change</Button>
                  <Button onClick={() => onKeep(now)}>Keep my change</Button>
                </span>
              </>
            )}
          </Loaded>
        )}
      </div>
    </div>
  );
}
