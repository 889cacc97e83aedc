import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { dryRun } from "../../api/reduce";
import type { ReduceDryRun } from "../../api/schema";
import { useMay } from "../../app/session";
import { Button } from "../../components/Button";
import { ErrorPanel } from "../../components/ErrorPanel";
import { Field } from "../../components/Field";
import { JsonText } from "../../components/JsonText";
import { More } from "../../components/More";
import { countText } from "../../components/number";
import { Panel } from "../../components/Page";
import { linesOf, recordsFault } from "./form";

/** A panel that shows which records would be passed on, without storing anything. */
export function DryRunPanel({ group }: { group: string }) {
  const may = useMay()("POST /reduce-groups/dry-run");
  const [form, setForm] = useState({ key: "/id", ignore: "", only: "", document: "" });
  const [touched, setTouched] = useState(false);
  const change = (part: Partial<typeof form>) => {
    setForm((before) => ({ ...before, ...part }));
    if (part.document !== undefined) setTouched(true);
  };
  const fault = recordsFault(form.document);
  const run = useMutation({
    mutationFn: () =>
      dryRun({ group, key: form.key.trim(), ignore: linesOf(form.ignore), only: linesOf(form.only), document: form.document.trim() }),
  });
  if (!may) return null;
  const paths = (name: "ignore" | "only", label: string) => (
    <Field label={label} hint="paths, one per line">
      {(control) => (
        <textarea {...control} rows={1} spellCheck={false} value={form[name]} onChange={({ target }) => change({ [name]: target.value })} />
      )}
    </Field>
  );
  return (
    <Panel title={`Dry run of ${group}`}>
      <More summary="Compare records without storing anything" className="reduce-try">
        <form
          className="form"
          onSubmit={(event) => {
            event.preventDefault();
            if (!fault) run.mutate();
          }}
        >
          <Field label="Records" hint="a JSON array" fault={touched ? fault : null}>
            {(control) => (
              <textarea
                {...control}
                rows={5}
                spellCheck={false}
                placeholder='[{"id": 1, "name": "Ann"}]'
                value={form.document}
                onChange={({ target }) => change({ document: target.value })}
              />
            )}
          </Field>
          <div className="field-row">
            <Field label="Key" hint="path; empty for the content">
              {(control) => <input {...control} value={form.key} spellCheck={false} onChange={({ target }) => change({ key: target.value })} />}
            </Field>
            {paths("ignore", "Ignore")}
            {paths("only", "Only")}
          </div>
          {run.error && <ErrorPanel error={run.error} />}
          <footer>
            <Button type="submit" disabled={Boolean(fault) || run.isPending}>
              {run.isPending ? "Comparing…" : "Compare"}
            </Button>
          </footer>
        </form>
        {run.data && <Outcome outcome={run.data} />}
      </More>
    </Panel>
  );
}

const kinds = [
  ["new", "New", "passed on"],
  ["changed", "Changed", "passed on"],
  ["unchanged", "Unchanged", "skipped"],
  ["reserved", "In progress", "skipped"],
] as const;

function Outcome({ outcome }: { outcome: ReduceDryRun }) {
  return (
    <div className="reduce-outcome" role="status">
      <dl className="facts">
        <div>
          <dt>Records</dt>
          <dd>{countText(outcome.records)}</dd>
        </div>
        {kinds.map(([kind, word, what]) => (
          <div key={kind}>
            <dt>
              {word}, {what}
            </dt>
            <dd>{countText(outcome[kind].count)}</dd>
          </div>
        ))}
        <div>
          <dt>Cannot be compared</dt>
          <dd>{countText(outcome.faulty)}</dd>
        </div>
      </dl>
      {kinds.map(
        ([kind, word]) =>
          outcome[kind].first.length > 0 && (
            <More key={kind} summary={`${word}: first records`}>
              <JsonText json={JSON.stringify(outcome[kind].first)} label={`${word} records`} />
            </More>
          ),
      )}
      {outcome.faults.length > 0 && (
        <ul className="reduce-faults">
          {outcome.faults.map(({ index, message }) => (
            <li key={index}>
              Record {index}: {message}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
