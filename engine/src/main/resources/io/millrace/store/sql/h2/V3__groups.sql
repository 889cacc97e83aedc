-- Millrace 3: workflows belong to executor groups, and tasks know how far a change of them came.

-- Whose executors run a workflow. What has run belongs to those who ran it, the others to whoever
-- came last.
ALTER TABLE millrace_schedule ADD COLUMN IF NOT EXISTS
  executor_group varchar(100) DEFAULT 'millrace' NOT NULL;
UPDATE millrace_schedule SET executor_group = COALESCE(
  (SELECT w.executor_group FROM millrace_workflow w WHERE w.id = millrace_schedule.execution_id),
  (SELECT e.executor_group FROM millrace_executor e ORDER BY e.id DESC LIMIT 1),
  'millrace');

DROP INDEX IF EXISTS millrace_schedule_due;
CREATE INDEX IF NOT EXISTS millrace_schedule_due
  ON millrace_schedule (executor_group, due, workflow_id);

-- The revision that all workflows with the task have; less while a change of it is under way, or
-- was cut short.
ALTER TABLE millrace_workflow_task ADD COLUMN IF NOT EXISTS reshaped integer DEFAULT 0 NOT NULL;
