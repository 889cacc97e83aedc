import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useId, useState } from "react";
import { start } from "../../api/actions";
import { queries } from "../../api/queries";
import type { Definition } from "../../api/schema";
import { useZone, zoneName } from "../../app/time";
import { Button } from "../../components/Button";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { DateInput } from "../../components/DateInput";
import { jsonFault, layOut, membersOf } from "../../components/json";
import { Loaded } from "../../components/Loaded";
import { useToast } from "../../components/Toast";
import { fieldFault, inputFields, inputOf, instantOf, timeFault } from "./inputForm";
import { PropertyField } from "./PropertyField";

/**
 * A dialog that starts an instance. The form has the fields of the declared input, those of a recent instance without
 * its values, or the input of the instance to copy.
 */
export function StartDialog({
  definition,
  like,
  onClose,
}: {
  definition: Definition;
  like?: number;
  onClose: () => void;
}) {
  const model = useQuery({ ...queries.instance(like ?? 0), enabled: like !== undefined });
  if (like === undefined) return <Form definition={definition} input={definition.inputExample} onClose={onClose} />;
  return <Loaded query={model}>{({ input }) => <Form definition={definition} input={input} onClose={onClose} />}</Loaded>;
}

function Form({
  definition,
  input,
  onClose,
}: {
  definition: Definition;
  input?: string | null;
  onClose: () => void;
}) {
  const copied = input !== definition.inputExample;
  const toast = useToast();
  const [zone] = useZone();
  const [json, setJson] = useState(input ?? "");
  const [fields, setFields] = useState(() => inputFields(input ?? "", zone, definition.input));
  const [form, setForm] = useState({
    businessKey: "",
    externalId: "",
    priority: "",
    at: "",
  });
  const change = (part: Partial<typeof form>) => setForm((before) => ({ ...before, ...part }));
  const ids = useId();
  const typed = fields ? inputOf(fields, zone) : json.trim();
  const inputFault = fields ? fields.some((field) => fieldFault(field)) : typed !== "" && jsonFault(typed) !== null;
  const atFault = form.at ? timeFault(form.at) : null;
  const asJson = () => {
    setJson(layOut(typed)?.map(({ text }) => text).join("") ?? typed);
    setFields(null);
  };
  const others = json.trim() && !membersOf(json) ? null : inputFields(json, zone, definition.input);
  const origin = input ? (copied ? "copied from the other instance" : "with the fields of an earlier instance") : definition.input?.length ? "" : "optional";
  return (
    <ConfirmDialog
      title={`Start ${definition.type}`}
      action={() =>
        start({
          type: definition.type,
          version: definition.version,
          input: inputFault ? "" : typed,
          businessKey: form.businessKey.trim(),
          externalId: form.externalId.trim(),
          priority: form.priority ? Number(form.priority) : undefined,
          at: instantOf(form.at, zone) ?? undefined,
        })
      }
      confirm="Start"
      withReason={false}
      ready={!inputFault && !atFault}
      onDone={({ id, created }) =>
        toast(
          <>
            {created ? "Started " : "Already started: "}
            <Link to="/instances/$id" params={{ id }}>
              instance {id}
            </Link>
          </>,
        )
      }
      onClose={onClose}
    >
      {fields ? (
        <fieldset className="input-fields">
          <legend>
            Input <span className="faint">{origin}</span>
            <Button look="quiet" onClick={asJson}>
              As JSON
            </Button>
          </legend>
          {fields.map((field, index) => (
            <PropertyField
              key={field.name}
              field={field}
              zone={zone}
              onChange={(value) => setFields(fields.map((one, at) => (at === index ? { ...one, value } : one)))}
            />
          ))}
        </fieldset>
      ) : (
        <div className="field">
          <label className="field">
            <span>
              Input <span className="faint">{origin ? `JSON, ${origin}` : "JSON"}</span>
            </span>
            <textarea
              rows={8}
              value={json}
              spellCheck={false}
              aria-invalid={inputFault}
              aria-describedby={inputFault ? `${ids}json` : undefined}
              onChange={(event) => setJson(event.target.value)}
            />
          </label>
          {inputFault && (
            <div className="field-fault" id={`${ids}json`}>
              {jsonFault(json)}
            </div>
          )}
          {others && (
            <div>
              <Button look="quiet" onClick={() => setFields(others)}>
                As a form
              </Button>
            </div>
          )}
        </div>
      )}
      <div className="field-row">
        <label className="field">
          <span>Business key</span>
          <input value={form.businessKey} maxLength={200} onChange={(event) => change({ businessKey: event.target.value })} />
        </label>
        <label className="field">
          <span>
            External id <span className="faint">starts once</span>
          </span>
          <input value={form.externalId} maxLength={200} onChange={(event) => change({ externalId: event.target.value })} />
        </label>
        <label className="field">
          <span>Priority</span>
          <select value={form.priority} onChange={(event) => change({ priority: event.target.value })}>
            <option value="">normal (4)</option>
            {[9, 8, 7, 6, 5, 3, 2, 1, 0].map((priority) => (
              <option key={priority} value={priority}>
                {priority}
                {priority === 9 ? " (first)" : priority === 0 ? " (last)" : ""}
              </option>
            ))}
          </select>
        </label>
        <div className="field">
          <label className="field">
            <span>
              First run <span className="faint">{zoneName(zone)}, else now</span>
            </span>
            <DateInput
              time
              value={form.at}
              aria-invalid={Boolean(atFault)}
              aria-describedby={atFault ? `${ids}at` : undefined}
              onChange={(at) => change({ at })}
            />
          </label>
          {atFault && (
            <div className="field-fault" id={`${ids}at`}>
              {atFault}
            </div>
          )}
        </div>
      </div>
    </ConfirmDialog>
  );
}
