-- Millrace 3: workflows belong to executor groups, and tasks know how far a change of them came.

-- Whose executors run a workflow. What has run belongs to those who ran it, the others to whoever
-- came last.
ALTER TABLE millrace_schedule ADD COLUMN executor_group varchar(100) NOT NULL DEFAULT 'millrace';
UPDATE millrace_schedule s SET executor_group = g.executor_group
FROM (SELECT t.workflow_id, COALESCE(
        (SELECT w.executor_group FROM millrace_workflow w WHERE w.id = t.execution_id),
        (SELECT e.executor_group FROM millrace_executor e ORDER BY e.id DESC LIMIT 1),
        'millrace') AS executor_group
      FROM millrace_schedule t) g
WHERE g.workflow_id = s.workflow_id AND g.executor_group <> s.executor_group;

DROP INDEX millrace_schedule_due;
CREATE INDEX millrace_schedule_due
  ON millrace_schedule (executor_group, due, workflow_id) WHERE due IS NOT NULL;

-- The revision that all workflows with the task have; less while a change of it is under way, or
-- was cut short.
ALTER TABLE millrace_workflow_task ADD COLUMN reshaped integer NOT NULL DEFAULT 0;
