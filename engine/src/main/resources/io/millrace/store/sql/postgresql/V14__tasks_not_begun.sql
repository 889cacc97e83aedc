-- Millrace 14: a task that no executor has begun is NOT_STARTED.

-- A row is one stay of an execution in the state of a task, over all its attempts: those that have
-- been left, by the action that left them, and the one where the execution is, or has ended.
-- Archived executions are not in it.
CREATE OR REPLACE VIEW millrace_task_visit AS
SELECT v.execution_id, v.workflow_id, v.task_id, v.next_task, v.sequence, v.entered_seq,
  COALESCE((SELECT MIN(b.started) FROM millrace_workflow_action b
    WHERE b.workflow_id = v.execution_id AND b.seq > v.entered_seq AND b.seq <= v.left_seq
      AND b.type IN ('stateExecution', 'stateExecutionFailed')),
    v.entered,
    (SELECT b.ended FROM millrace_workflow_action b
      WHERE b.workflow_id = v.execution_id AND b.seq = v.entered_seq),
    v.created) AS started,
  v.ended, v.status,
  (SELECT b.reason FROM millrace_workflow_action b
    WHERE b.workflow_id = v.execution_id AND b.seq > v.entered_seq AND b.seq <= v.left_seq
      AND b.reason IS NOT NULL
    ORDER BY b.seq DESC LIMIT 1) AS status_log,
  GREATEST(v.running - 1 + (SELECT COUNT(*) FROM millrace_workflow_action b
    WHERE b.workflow_id = v.execution_id AND b.seq > v.entered_seq AND b.seq <= v.left_seq
      AND b.type IN ('stateExecution', 'stateExecutionFailed', 'recovery')), 0) AS retries
FROM (
  SELECT w.id AS execution_id, w.business_key AS workflow_id, s.taskid AS task_id,
    s.nexttask AS next_task, s.sequence, COALESCE((SELECT MAX(b.seq)
      FROM millrace_workflow_action b
      WHERE b.workflow_id = a.workflow_id AND b.seq < a.seq AND b.from_state <> b.to_state), 0)
      AS entered_seq,
    a.seq AS left_seq, CAST(NULL AS timestamptz) AS entered, w.created, a.ended,
    CASE WHEN a.type = 'stateExecution' THEN 'COMPLETED' ELSE 'ABORTED' END AS status,
    0 AS running
  FROM millrace_workflow w
  JOIN millrace_workflow_action a ON a.workflow_id = w.id AND a.from_state <> a.to_state
  JOIN millrace_sequence_state s
    ON s.type = w.type AND s.version = w.version AND s.state = a.from_state
  WHERE w.business_key IS NOT NULL
  UNION ALL
  SELECT w.id, w.business_key, s.taskid, s.nexttask, s.sequence, w.entered_seq, 2147483647,
    w.entered, w.created, w.ended,
    CASE
      WHEN w.status = 'finished' THEN 'COMPLETED'
      WHEN w.status NOT IN ('created', 'inProgress', 'paused') THEN 'ABORTED'
      WHEN w.executor_id IS NOT NULL THEN 'IN_PROGRESS'
      WHEN w.attempt > 0 THEN 'ERROR'
      WHEN EXISTS (SELECT 1 FROM millrace_workflow_action b
        WHERE b.workflow_id = w.id AND b.seq > w.entered_seq
          AND b.type IN ('stateExecution', 'stateExecutionFailed', 'recovery')) THEN 'IN_PROGRESS'
      ELSE 'NOT_STARTED'
    END,
    CASE WHEN w.executor_id IS NULL THEN 0 ELSE 1 END
  FROM millrace_workflow w
  JOIN millrace_sequence_state s ON s.type = w.type AND s.version = w.version AND s.state = w.state
  WHERE w.business_key IS NOT NULL
) v;
