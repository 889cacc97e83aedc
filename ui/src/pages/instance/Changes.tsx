import type { VariableChange } from "../../api/schema";
import { JsonText } from "../../components/JsonText";

function Side({ name, json, secret }: { name: string; json?: string | null; secret?: boolean }) {
  return (
    <div className="change-side">
      <span className="faint">{name}</span>
      {secret ? <span className="tag">secret</span> : <JsonText json={json} label={name} />}
    </div>
  );
}

/** Values of variables before and after an attempt. */
export function Changes({ changes }: { changes: readonly VariableChange[] }) {
  return (
    <dl className="changes">
      {changes.map(({ name, before, after, secret }) => (
        <div key={name}>
          <dt className="mono">{name}</dt>
          <dd>
            <Side name="before" json={before} secret={secret && before !== null} />
            <Side name="after" json={after} secret={secret && after !== null} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
