import { TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import type { Job } from "../../api/flows";
import { CopyButton } from "../../components/CopyButton";
import { JsonText } from "../../components/JsonText";
import { More } from "../../components/More";
import { Panel } from "../../components/Page";
import { isOfProtocol, isShort } from "./fields";

/** The fields of a job; a field that is not JSON is shown as text. */
export function JobFields({ job: { fields, unreadable } }: { job: Job }) {
  const broken = Object.entries(unreadable);
  const own = fields.filter(({ name }) => !isOfProtocol(name));
  const rest = fields.filter(({ name }) => isOfProtocol(name));
  return (
    <Panel title="Fields">
      {broken.length > 0 && (
        <div className="error-panel" role="alert">
          <TriangleAlert size={16} aria-hidden="true" />
          <div>
            <strong>{broken.length === 1 ? "One field is not JSON" : `${broken.length} fields are not JSON`}</strong>
            <p>A worker that reads such a field fails the job. The field was not written by the client library.</p>
          </div>
        </div>
      )}
      {own.length + broken.length > 0 ? (
        <dl className="job-fields">
          {broken.map(([name, text]) => (
            <Field key={name} name={name} mark={<span className="tag bad">not JSON</span>}>
              <div className="json">
                <pre tabIndex={0} role="region" aria-label={name}>
                  {text}
                </pre>
                <CopyButton text={text} label={`Copy ${name}`} />
              </div>
            </Field>
          ))}
          {own.map(({ name, json }) => (
            <Field key={name} name={name}>
              <Value name={name} json={json} />
            </Field>
          ))}
        </dl>
      ) : (
        <p className="muted">The job has no fields of its own.</p>
      )}
      {rest.length > 0 && (
        <More summary={`Fields of the workers (${rest.length})`} className="job-more">
          <dl className="job-fields">
            {rest.map(({ name, json }) => (
              <Field key={name} name={name}>
                <Value name={name} json={json} />
              </Field>
            ))}
          </dl>
        </More>
      )}
    </Panel>
  );
}

function Field({ name, mark, children }: { name: string; mark?: ReactNode; children: ReactNode }) {
  return (
    <div>
      <dt>
        <span className="mono">{name}</span> {mark}
      </dt>
      <dd>{children}</dd>
    </div>
  );
}

/** A value in one line if it is short; otherwise as formatted JSON with a copy button. */
function Value({ name, json }: { name: string; json: string }) {
  return isShort(json) ? <code className="job-value">{json}</code> : <JsonText json={json} label={name} />;
}
