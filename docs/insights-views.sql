-- Views with the names and columns of the tables INSIGHTS_WORKFLOW_*, for reports that read them.
-- For PostgreSQL and H2, in the schema of the tables of Millrace or in one whose search path has it.
-- Times are in seconds, 0 for none, except those of the history, which are in milliseconds.

CREATE VIEW "INSIGHTS_WORKFLOW_TYPE" AS
SELECT id, name AS workflowtype
FROM millrace_sequence_type;

CREATE VIEW "INSIGHTS_WORKFLOW_TASK" AS
SELECT id AS taskid, name AS description, channel AS mqchannel, component AS componentname,
  dependency, type AS workflowtype
FROM millrace_task;

CREATE VIEW "INSIGHTS_WORKFLOW_CONFIG" AS
SELECT sequence_id AS workflowid, type AS workflowtype, schedule_type AS scheduletype,
  recurs AS reoccurence,
  COALESCE(CAST(FLOOR(EXTRACT(EPOCH FROM last_ended_at)) AS bigint), 0) AS lastrun,
  COALESCE(CAST(FLOOR(EXTRACT(EPOCH FROM next_run_at)) AS bigint), 0) AS nextrun,
  run_requested AS runimmediate, status, active AS isactive
FROM millrace_sequence_status;

CREATE VIEW "INSIGHTS_WORKFLOW_TASK_SEQUENCE" AS
SELECT id, sequence_id AS workflowid, task_id AS taskid, position AS sequence,
  next_task_id AS nexttask
FROM millrace_sequence_task;

CREATE VIEW "INSIGHTS_WORKFLOW_EXECUTION_HISTORY" AS
SELECT execution_id * 100000 + entered_seq AS id, execution_id AS executionid,
  sequence_id AS workflowid, task_id AS currenttask,
  CAST(FLOOR(EXTRACT(EPOCH FROM started_at) * 1000) AS bigint) AS starttime,
  COALESCE(CAST(FLOOR(EXTRACT(EPOCH FROM ended_at) * 1000) AS bigint), 0) AS endtime,
  status AS taskstatus, status_log AS statuslog,
  '{"executionId":' || execution_id
    || ',"workflowId":"' || REPLACE(REPLACE(sequence_id, '\', '\\'), '"', '\"')
    || '","currentTaskId":' || task_id || ',"nextTaskId":' || next_task_id
    || ',"sequence":' || position || ',"isWorkflowTaskRetry":'
    || CASE WHEN retry_count > 0 THEN 'true' ELSE 'false' END || '}' AS requestmessage,
  CAST(retry_count AS integer) AS retrycount
FROM millrace_task_visit;
