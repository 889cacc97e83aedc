import { ArrowDown, ArrowUp, GripVertical, Plus, X } from "lucide-react";
import { useRef, useState, type KeyboardEvent } from "react";
import type { RegisteredTask } from "../../api/schema";
import { Button } from "../../components/Button";
import { Field } from "../../components/Field";
import { rowsFor } from "../../components/json";
import { More } from "../../components/More";
import { moved, newSequenceTask, type Faults, type SequenceTaskForm } from "./form";

interface Props {
  sequenceTasks: SequenceTaskForm[];
  /** Tasks that can be added. */
  tasks: readonly RegisteredTask[];
  faults: Faults;
  onChange: (sequenceTasks: SequenceTaskForm[]) => void;
}

/** The ordered tasks of a sequence. They are moved with buttons, with Alt and an arrow key, or by dragging. */
export function SequenceTasksEditor({ sequenceTasks, tasks, faults, onChange }: Props) {
  const list = useRef<HTMLOListElement>(null);
  const [said, setSaid] = useState("");
  const [drawn, setDrawn] = useState<number | null>(null);
  const move = (from: number, to: number) => {
    const sequenceTask = sequenceTasks[from];
    if (!sequenceTask || to < 0 || to >= sequenceTasks.length) return;
    const active = document.activeElement;
    onChange(moved(sequenceTasks, from, to));
    setSaid(`${sequenceTask.task} is now task ${to + 1} of ${sequenceTasks.length}.`);
    // A moved row loses the focus.
    requestAnimationFrame(() => {
      if (!(active instanceof HTMLElement) || !list.current?.contains(active)) return;
      const other = (active as HTMLButtonElement).disabled && active.parentElement?.querySelector<HTMLElement>("button:enabled");
      (other || active).focus();
    });
  };
  const onKey = (event: KeyboardEvent, index: number) => {
    const by = event.key === "ArrowUp" ? -1 : event.key === "ArrowDown" ? 1 : 0;
    if (!event.altKey || !by) return;
    event.preventDefault();
    move(index, index + by);
  };
  const change = (index: number, parameters: string) =>
    onChange(sequenceTasks.map((sequenceTask, at) => (at === index ? { ...sequenceTask, parameters } : sequenceTask)));
  return (
    <>
      <ol className="sequence-task-rows" ref={list}>
        {sequenceTasks.map((sequenceTask, index) => (
          <li
            key={sequenceTask.key}
            className={drawn === sequenceTask.key ? "sequence-task-row sequence-task-drawn" : "sequence-task-row"}
            onKeyDown={(event) => onKey(event, index)}
            onDragOver={(event) => {
              if (drawn === null) return;
              event.preventDefault();
              const from = sequenceTasks.findIndex(({ key }) => key === drawn);
              if (from !== index) move(from, index);
            }}
            onDrop={(event) => event.preventDefault()}
          >
            <span
              className="sequence-task-grip"
              draggable
              title="Drag to move"
              onDragStart={(event) => {
                event.dataTransfer.effectAllowed = "move";
                event.dataTransfer.setData("text/plain", sequenceTask.task);
                const row = event.currentTarget.closest("li");
                if (row) event.dataTransfer.setDragImage(row, 12, 12);
                setDrawn(sequenceTask.key);
              }}
              onDragEnd={() => setDrawn(null)}
            >
              <GripVertical size={14} aria-hidden="true" />
            </span>
            <span className="number faint">{index + 1}</span>
            <strong className="sequence-task-task">{sequenceTask.task}</strong>
            <span className="sequence-task-buttons">
              <Button
                look="quiet"
                icon={<ArrowUp size={14} aria-hidden="true" />}
                aria-label={`Move ${sequenceTask.task} up`}
                title="Move up (Alt ↑)"
                disabled={index === 0}
                onClick={() => move(index, index - 1)}
              />
              <Button
                look="quiet"
                icon={<ArrowDown size={14} aria-hidden="true" />}
                aria-label={`Move ${sequenceTask.task} down`}
                title="Move down (Alt ↓)"
                disabled={index === sequenceTasks.length - 1}
                onClick={() => move(index, index + 1)}
              />
              <Button
                look="quiet"
                icon={<X size={14} aria-hidden="true" />}
                aria-label={`Remove ${sequenceTask.task}`}
                title="Remove"
                onClick={() => {
                  onChange(sequenceTasks.filter((_, at) => at !== index));
                  setSaid(`Removed ${sequenceTask.task}.`);
                }}
              />
            </span>
            {faults[`tasks.${index}`] && <div className="field-fault sequence-task-fault">{faults[`tasks.${index}`]}</div>}
            <More summary="Parameters" className="sequence-task-parameters" begins={sequenceTask.parameters !== ""}>
              <Field
                label={`Parameters of task ${index + 1}, ${sequenceTask.task}`}
                hint="a JSON object; parameters for all tasks override these"
                fault={faults[`tasks.${index}.parameters`]}
              >
                {(control) => (
                  <textarea
                    {...control}
                    rows={rowsFor(sequenceTask.parameters)}
                    value={sequenceTask.parameters}
                    placeholder="{}"
                    spellCheck={false}
                    onChange={(event) => change(index, event.target.value)}
                  />
                )}
              </Field>
            </More>
          </li>
        ))}
      </ol>
      {faults.tasks && <div className="field-fault">{faults.tasks}</div>}
      <div className="sequence-task-choices" role="group" aria-label="Add a task">
        {tasks.map(({ name, component, runnable, problem }) => (
          <Button
            key={name}
            icon={<Plus size={13} aria-hidden="true" />}
            title={runnable ? component : (problem ?? "No executor can run this task.")}
            onClick={() => {
              onChange([...sequenceTasks, newSequenceTask(name)]);
              setSaid(`Added ${name} as task ${sequenceTasks.length + 1}.`);
            }}
          >
            {name}
            {!runnable && <span className="tag warn">not runnable here</span>}
          </Button>
        ))}
      </div>
      <p className="sr-only" role="status">
        {said}
      </p>
    </>
  );
}
