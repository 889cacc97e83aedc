import { useQuery } from "@tanstack/react-query";
import { PenLine } from "lucide-react";
import { queries } from "../../api/queries";
import type { HistoryEntry, InstanceDetail } from "../../api/schema";
import { Button } from "../../components/Button";
import { EmptyState } from "../../components/EmptyState";
import { JsonText } from "../../components/JsonText";
import { Loaded } from "../../components/Loaded";
import { Panel } from "../../components/Page";
import { lastChanges } from "./history";

/** The input and the current variables, each with the history entry that last changed it. */
export function VariablesTab({
  instance,
  entries,
  onEdit,
  onShow,
}: {
  instance: InstanceDetail;
  entries: readonly HistoryEntry[];
  onEdit?: () => void;
  onShow: (seq: number) => void;
}) {
  const variables = useQuery(queries.variables(instance.id));
  const changed = lastChanges(entries);
  return (
    <>
      <Panel title="Input">
        <div className="padded">
          {instance.inputSecret ? <span className="tag">secret</span> : <JsonText json={instance.input} label="Input" />}
        </div>
      </Panel>
      <Panel
        title="Variables"
        actions={
          onEdit && (
            <Button icon={<PenLine size={14} aria-hidden="true" />} onClick={onEdit}>
              Edit
            </Button>
          )
        }
      >
        <Loaded query={variables}>
          {(all) =>
            all.length === 0 ? (
              <EmptyState title="No variables">A handler sets variables with its result.</EmptyState>
            ) : (
              <dl className="variables">
                {all.map(({ name, json, secret }) => (
                  <div key={name}>
                    <dt>
                      <span className="mono">{name}</span>
                      {changed.has(name) && (
                        <button type="button" className="link faint" onClick={() => onShow(changed.get(name)!)}>
                          set by entry {changed.get(name)}
                        </button>
                      )}
                    </dt>
                    <dd>{secret ? <span className="tag">secret</span> : <JsonText json={json} label={name} />}</dd>
                  </div>
                ))}
              </dl>
            )
          }
        </Loaded>
      </Panel>
    </>
  );
}
