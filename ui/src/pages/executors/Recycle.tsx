import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { changePolicy, rolloutQueries } from "../../api/rollouts";
import type { RecyclePolicy, Rollout } from "../../api/schema";
import { useMay } from "../../app/session";
import { zoneName } from "../../app/time";
import { Button } from "../../components/Button";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { Field } from "../../components/Field";
import { Loaded } from "../../components/Loaded";
import { Panel } from "../../components/Page";
import { AbsoluteTime, RelativeTime } from "../../components/Time";
import { useToast } from "../../components/Toast";
import { zonedText, zones } from "../../components/zoned";
import { policyFaults, policyFormOf, policyOf, policySentences, type PolicyForm } from "./policy";

/** The panel of the recycle policy, by which nodes restart automatically. */
export function Recycle() {
  const may = useMay()("PUT /recycle-policy");
  const policy = useQuery(rolloutQueries.policy());
  const rollouts = useQuery(rolloutQueries.list());
  const [changing, setChanging] = useState<RecyclePolicy>();
  const found = policy.data;
  return (
    <Panel
      title="Automatic recycling"
      actions={may && found && <Button onClick={() => setChanging(found)}>Change…</Button>}
    >
      <Loaded query={policy}>
        {(one) => <Shown policy={one} last={rollouts.data?.find(({ reason, phase }) => reason === "recycle" && phase === "completed")} />}
      </Loaded>
      {changing && <PolicyDialog policy={changing} onClose={() => setChanging(undefined)} />}
    </Panel>
  );
}

function Shown({ policy, last }: { policy: RecyclePolicy; last: Rollout | undefined }) {
  const { nextUtc, zone, changed, enabled } = policy;
  return (
    <div className="recycle">
      <div>
        {policySentences(policy).map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
      </div>
      <dl className="facts">
        {enabled && nextUtc && (
          <>
            <div>
              <dt>Next window</dt>
              <dd>
                <RelativeTime at={nextUtc} />
              </dd>
            </div>
            <div>
              <dt>Local time{zone ? `, ${zone}` : ""}</dt>
              <dd>{zonedText(nextUtc, zone ?? "UTC", { seconds: false })}</dd>
            </div>
            <div>
              <dt>In UTC</dt>
              <dd>{zonedText(nextUtc, "UTC", { seconds: false })}</dd>
            </div>
          </>
        )}
        <div>
          <dt>Last recycle</dt>
          <dd>{last ? <AbsoluteTime at={last.since} /> : <span className="faint">none</span>}</dd>
        </div>
        <div>
          <dt>Last changed</dt>
          <dd>{changed ? <AbsoluteTime at={changed} /> : "never; from the configuration"}</dd>
        </div>
      </dl>
    </div>
  );
}

function PolicyDialog({ policy, onClose }: { policy: RecyclePolicy; onClose: () => void }) {
  const toast = useToast();
  const known = useId();
  const [form, setForm] = useState(() => policyFormOf(policy, zoneName("local")));
  const change = (part: Partial<PolicyForm>) => setForm((before) => ({ ...before, ...part }));
  const faults = policyFaults(form);
  const ready = Object.keys(faults).length === 0;
  const line = (name: "windowMinutes" | "maxAgeHours" | "memoryPercent", label: string, hint: string) => (
    <Field label={label} hint={hint} fault={faults[name]}>
      {(control) => (
        <input
          {...control}
          value={form[name]}
          inputMode="decimal"
          autoComplete="off"
          onChange={({ target }) => change({ [name]: target.value })}
        />
      )}
    </Field>
  );
  return (
    <ConfirmDialog
      title="Recycle policy"
      action={(reason) => changePolicy(ready ? policyOf(form) : { enabled: false, at: "04:30", zone: "UTC" }, reason)}
      confirm="Save"
      ready={ready}
      onDone={() => toast("Policy saved. Nodes apply it within a minute.")}
      onClose={onClose}
    >
      <p>A node that recycles hands over its work and exits; its supervisor starts it again. Only one node recycles at a time.</p>
      <label className="check-label">
        <input type="checkbox" checked={form.enabled} onChange={({ target }) => change({ enabled: target.checked })} />
        Restart nodes automatically
      </label>
      <div className="field-row">
        <Field label="Every day at" fault={faults.at}>
          {(control) => <input {...control} type="time" required value={form.at} onChange={({ target }) => change({ at: target.value })} />}
        </Field>
        <Field label="Zone" fault={faults.zone}>
          {(control) => (
            <>
              <input
                {...control}
                list={known}
                value={form.zone}
                maxLength={100}
                required
                autoComplete="off"
                onChange={({ target }) => change({ zone: target.value })}
              />
              <datalist id={known}>
                {zones().map((zone) => (
                  <option key={zone} value={zone} />
                ))}
              </datalist>
            </>
          )}
        </Field>
      </div>
      {line("windowMinutes", "Spread over", "minutes")}
      <div className="field-row">
        {line("maxAgeHours", "Older than", "hours; empty for any age")}
        {line("memoryPercent", "Heap at", "percent; empty for any")}
      </div>
    </ConfirmDialog>
  );
}
