import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { FileJson, Info } from "lucide-react";
import { useRef, useState } from "react";
import { ApiError, serverNow } from "../../api/client";
import { perform, type Action } from "../../api/actions";
import { bodyText } from "../../api/rawJson";
import type { RegisteredTask, SequenceDetail } from "../../api/schema";
import { saveSequence } from "../../api/sequenceActions";
import { ActionHelp } from "../../components/ActionHelp";
import { Button } from "../../components/Button";
import { ErrorPanel } from "../../components/ErrorPanel";
import { JsonText } from "../../components/JsonText";
import { SequenceClash } from "./Clash";
import { Fields } from "./Fields";
import { bodyOf, faultsOf, formOf, serverFaults, type SequenceForm } from "./form";
import { LeaveGuard } from "./LeaveGuard";
import { Preview, usePreview } from "./Preview";
import { writeSchedule } from "./schedule";

interface Props {
  initial: () => SequenceForm;
  /** Current state of the sequence to change; left out for a new one. */
  current?: SequenceDetail;
  tasks: readonly RegisteredTask[];
}

/** The version of the sequence that a draft is based on. */
interface Base {
  form: SequenceForm;
  tag: string | undefined;
  read: number;
}

export function Editor({ initial, current, tasks }: Props) {
  const [base, setBase] = useState<Base>(() => ({ form: initial(), tag: current?.tag, read: serverNow() }));
  const [form, setForm] = useState(base.form);
  const [version, setVersion] = useState(0);
  const [tried, setTried] = useState(false);
  const saved = useRef(false);
  const isDirty = () => !saved.current && JSON.stringify(bodyOf(form)) !== JSON.stringify(bodyOf(base.form));
  const navigate = useNavigate();
  const client = useQueryClient();
  const action = saveSequence(bodyOf(form), base.tag);
  const toPage = (sequenceId: string) => void navigate({ to: "/sequences/$sequenceId", params: { sequenceId } });
  const save = useMutation({
    mutationFn: async () => (await perform(action as Action)) as SequenceDetail,
    onSuccess: (answer) => {
      saved.current = true;
      void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== "session" });
      toPage(answer.sequenceId);
    },
    onError: (error) => {
      if (isClash(error)) void client.invalidateQueries({ queryKey: ["sequence", form.sequenceId] });
    },
  });
  // The user's own change is read back as well.
  const theirs = current && current.tag !== base.tag && !save.isPending && !save.isSuccess ? current : undefined;
  const faults = faultsOf(form, tasks);
  const scheduleComplete = !Object.keys(faults).some((field) => field.startsWith("schedule."));
  const preview = usePreview(scheduleComplete ? writeSchedule(form.schedule) : null);
  const shown = {
    ...serverFaults(scheduleComplete ? preview.error : null),
    ...serverFaults(theirs ? null : save.error),
    ...(tried ? faults : only(faults, form, base.form)),
  };
  const change = (next: SequenceForm) => {
    setForm(next);
    if (save.error) save.reset();
  };
  const start = (next: SequenceForm, on: SequenceDetail) => {
    setBase({ form: formOf(on), tag: on.tag, read: serverNow() });
    setForm(next);
    setVersion(version + 1); // resets fields that keep typed text
  };
  if (theirs && !isDirty()) start(formOf(theirs), theirs); // nothing is lost
  const take = (next: SequenceForm, on: SequenceDetail) => {
    start(next, on);
    save.reset();
  };
  return (
    <form
      className="editor"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        if (Object.keys(faults).length) focusFirstFault(event.currentTarget);
        else if (!save.isPending) save.mutate();
      }}
    >
      <LeaveGuard isDirty={isDirty} />
      {current?.origin && (
        <p className="editor-origin">
          <Info size={14} aria-label="Note" />{" "}
          <span>
            Registered from <code>{current.origin}</code> at each server start, which overwrites changes made here. Change the
            file as well. To stop the schedule across server starts, pause it.
          </span>
        </p>
      )}
      <Fields
        key={version}
        form={form}
        isNew={base.tag === undefined}
        tasks={tasks}
        faults={shown}
        onChange={change}
      />
      <div className="editor-side">
        <Preview preview={preview} complete={scheduleComplete} />
      </div>
      <div className="editor-foot">
        {theirs && (
          <SequenceClash
            base={base.form}
            since={base.read}
            mine={form}
            theirs={theirs}
            onTake={(next) => take(next, theirs)}
          />
        )}
        {save.error && !theirs && <ErrorPanel error={save.error} />}
        {tried && Object.keys(faults).length > 0 && (
          <p className="field-fault" role="alert">
            Some fields above are missing or invalid.
          </p>
        )}
        <ActionHelp action={action as Action} />
        <details className="action-help">
          <summary>
            <FileJson size={13} aria-hidden="true" /> As a file for the command
          </summary>
          <JsonText json={bodyText(action.body)} label="The sequence" />
        </details>
        <footer className="editor-buttons">
          <Button type="submit" look="primary" disabled={save.isPending}>
            {save.isPending ? "Working…" : base.tag === undefined ? "Add sequence" : "Save"}
          </Button>
          {base.tag === undefined ? (
            <Link to="/sequences" className="button">
              Cancel
            </Link>
          ) : (
            <Button onClick={() => toPage(form.sequenceId)}>Cancel</Button>
          )}
        </footer>
      </div>
    </form>
  );
}

const isClash = (error: unknown) => error instanceof ApiError && error.status === 409;

function focusFirstFault(form: HTMLFormElement) {
  requestAnimationFrame(() => {
    const first = form.querySelector<HTMLElement>("[aria-invalid=true], .sequence-task-choices button");
    first?.closest("details")?.setAttribute("open", "");
    first?.focus();
  });
}

/** Returns the faults of changed fields, so that an empty form shows no errors. */
function only(faults: Record<string, string>, form: SequenceForm, base: SequenceForm): Record<string, string> {
  const untouched = (field: string) =>
    (field === "sequenceId" && form.sequenceId === base.sequenceId) ||
    (field === "type" && form.type === base.type) ||
    (field === "tasks" && form.sequenceTasks.length === base.sequenceTasks.length) ||
    (field === "schedule.cron" && !form.schedule.cron) ||
    (field.endsWith("Date") && !form.schedule.startDate && !form.schedule.endDate);
  return Object.fromEntries(Object.entries(faults).filter(([field]) => !untouched(field)));
}
