-- Millrace 9: an execution that no live executor has the code for is seen by its status.

CREATE OR REPLACE VIEW millrace_workflow_config AS
SELECT s.workflow_id AS workflowid, s.workflow_type AS workflowtype,
  s.schedule_type AS scheduletype, s.recurs AS reoccurence,
  COALESCE(CAST(FLOOR(EXTRACT(EPOCH FROM s.last_run)) AS bigint), 0) AS lastrun,
  COALESCE(CAST(FLOOR(EXTRACT(EPOCH FROM s.next_run)) AS bigint), 0) AS nextrun,
  s.immediate AS runimmediate,
  CASE
    WHEN s.restart THEN 'RESTART'
    WHEN s.execution_id IS NULL THEN 'NOT_STARTED'
    WHEN COALESCE(w.status, f.result) = 'finished' THEN 'COMPLETED'
    WHEN w.status IS NULL OR w.status NOT IN ('created', 'inProgress', 'paused') THEN 'ABORTED'
    WHEN w.executor_id IS NOT NULL THEN 'IN_PROGRESS'
    WHEN o.error IS NOT NULL THEN 'TASK_INITIALIZE_ERROR'
    WHEN w.modified < CURRENT_TIMESTAMP - INTERVAL '15' SECOND
      AND (SELECT MAX(CASE WHEN ',' || e.definition_ids || ',' LIKE '%,' || w.definition_id || ',%'
          THEN 1 ELSE 0 END)
        FROM millrace_executor e
        WHERE e.executor_group = w.executor_group AND e.stopped IS NULL
          AND e.expires > CURRENT_TIMESTAMP AND e.state = 'ACTIVE') = 0
      THEN 'TASK_INITIALIZE_ERROR'
    WHEN w.attempt > 0 THEN 'ERROR'
    ELSE 'IN_PROGRESS'
  END AS status,
  s.active AS isactive
FROM millrace_schedule s
LEFT JOIN millrace_workflow w ON w.id = s.execution_id
LEFT JOIN millrace_schedule_fire f ON f.execution_id = s.execution_id
LEFT JOIN millrace_outbox o ON o.workflow_id = w.id AND o.seq = w.seq;
