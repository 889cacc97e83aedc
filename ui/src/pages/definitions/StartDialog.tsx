import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { start } from "../../api/deeds";
import { queries } from "../../api/queries";
import type { Definition } from "../../api/schema";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { jsonFault } from "../../components/json";
import { Loaded } from "../../components/Loaded";
import { useToast } from "../../components/Toast";

/** Starts an instance, with the input of a recent one or of the one it shall be like. */
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
  const toast = useToast();
  const [form, setForm] = useState({
    input: input ?? "",
    businessKey: "",
    externalId: "",
    priority: "",
    at: "",
  });
  const change = (part: Partial<typeof form>) => setForm((before) => ({ ...before, ...part }));
  const fault = form.input.trim() ? jsonFault(form.input) : null;
  return (
    <ConfirmDialog
      title={`Start ${definition.type}`}
      deed={() =>
        start({
          type: definition.type,
          version: definition.version,
          input: fault ? "" : form.input.trim(),
          businessKey: form.businessKey.trim(),
          externalId: form.externalId.trim(),
          priority: form.priority ? Number(form.priority) : undefined,
          at: form.at ? new Date(form.at).toISOString() : undefined,
        })
      }
      confirm="Start"
      withReason={false}
      ready={!fault}
      onDone={({ id, created }) =>
        toast(
          <>
            {created ? "Started " : "Had been started: "}
            <Link to="/instances/$id" params={{ id }}>
              instance {id}
            </Link>
          </>,
        )
      }
      onClose={onClose}
    >
      <label className="field">
        <span>
          Input <span className="faint">JSON{input ? ", prefilled from an earlier instance" : ", may be left out"}</span>
        </span>
        <textarea
          rows={8}
          value={form.input}
          spellCheck={false}
          aria-invalid={Boolean(fault)}
          onChange={(event) => change({ input: event.target.value })}
        />
        {fault && <span className="field-fault">{fault}</span>}
      </label>
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
        <label className="field">
          <span>
            First run <span className="faint">local time; now when empty</span>
          </span>
          <input type="datetime-local" value={form.at} onChange={(event) => change({ at: event.target.value })} />
        </label>
      </div>
    </ConfirmDialog>
  );
}
