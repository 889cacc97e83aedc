import { TriangleAlert } from "lucide-react";
import type { Job } from "../../api/flows";
import { CopyButton } from "../../components/CopyButton";
import { EmptyState } from "../../components/EmptyState";
import { JsonText } from "../../components/JsonText";
import { Panel } from "../../components/Page";

/** What a job holds; a field that is no JSON is shown as the text that it is. */
export function JobFields({ job: { fields, unreadable } }: { job: Job }) {
  const broken = Object.entries(unreadable);
  return (
    <Panel title="Fields">
      {broken.length > 0 && (
        <div className="error-panel" role="alert">
          <TriangleAlert size={16} aria-hidden="true" />
          <div>
            <strong>{broken.length === 1 ? "One field is not JSON" : `${broken.length} fields are not JSON`}</strong>
            <p>A worker that reads such a field fails the job. Somebody wrote it without the client.</p>
          </div>
        </div>
      )}
      {fields.length + broken.length === 0 ? (
        <EmptyState title="It has no fields" />
      ) : (
        <dl className="job-fields">
          {broken.map(([name, text]) => (
            <div key={name}>
              <dt>
                <span className="mono">{name}</span> <span className="tag bad">not JSON</span>
              </dt>
              <dd className="json">
                <pre tabIndex={0} role="region" aria-label={name}>
                  {text}
                </pre>
                <CopyButton text={text} label={`Copy ${name}`} />
              </dd>
            </div>
          ))}
          {fields.map(({ name, json }) => (
            <div key={name}>
              <dt className="mono">{name}</dt>
              <dd>
                <JsonText json={json} label={name} />
              </dd>
            </div>
          ))}
        </dl>
      )}
    </Panel>
  );
}
