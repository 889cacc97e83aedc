-- Continuous workflows: their triggers, runs and logs.

CREATE TABLE millrace_continuous_workflow (
  name                  varchar(200) COLLATE "C" PRIMARY KEY,
  executor_group        varchar(100) NOT NULL,
  type                  varchar(100) NOT NULL,
  settings              text NOT NULL,
  enabled               boolean NOT NULL,
  enable_count          bigint NOT NULL,
  request               varchar(20),
  revision              integer DEFAULT 1 NOT NULL,
  attention             boolean DEFAULT FALSE NOT NULL,
  executor_id           bigint,
  epoch                 bigint DEFAULT 0 NOT NULL,
  preferred_executor_id bigint,
  start_mode            varchar(50),
  start_reason          varchar(100),
  series                bigint DEFAULT 0 NOT NULL,
  generation            bigint DEFAULT 0 NOT NULL,
  series_started_at     timestamptz,
  run_started_at        timestamptz,
  run_mode              varchar(50),
  run_reason            varchar(100),
  iteration_count       bigint DEFAULT 0 NOT NULL,
  fire_count            bigint DEFAULT 0 NOT NULL,
  last_fired_at         timestamptz,
  last_ended_at         timestamptz,
  last_result           varchar(20),
  execution_id          bigint,
  position              text,
  failure_count         integer DEFAULT 0 NOT NULL,
  backoff_until         timestamptz,
  crash_loop            boolean DEFAULT FALSE NOT NULL,
  error                 varchar(1000),
  down_since            timestamptz,
  debug_until           timestamptz,
  debug_by              varchar(100),
  log_seq               bigint DEFAULT 0 NOT NULL,
  created_at            timestamptz NOT NULL,
  modified_at           timestamptz NOT NULL
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);
COMMENT ON TABLE millrace_continuous_workflow IS
  'A continuous workflow: who runs its trigger, and the position of the trigger. Written by the '
  'owner, guarded by executor_id and epoch, and by requests to enable, disable, restart or move it.';
COMMENT ON COLUMN millrace_continuous_workflow.name IS 'Name of the continuous workflow.';
COMMENT ON COLUMN millrace_continuous_workflow.executor_group IS
  'Group of the executors that may run it.';
COMMENT ON COLUMN millrace_continuous_workflow.type IS
  'Type of the executions that its events start.';
COMMENT ON COLUMN millrace_continuous_workflow.settings IS 'Settings as JSON, for people.';
COMMENT ON COLUMN millrace_continuous_workflow.enabled IS
  'False if an operator has disabled it, or its code has registered it so.';
COMMENT ON COLUMN millrace_continuous_workflow.enable_count IS
  'How often the workflow was enabled.';
COMMENT ON COLUMN millrace_continuous_workflow.request IS
  'Request to the owner: RESTART, MOVE or CONTINUE.';
COMMENT ON COLUMN millrace_continuous_workflow.revision IS
  'Grows with each change by a request, from 1.';
COMMENT ON COLUMN millrace_continuous_workflow.attention IS
  'True while the owner has a request or a changed setting to look at.';
COMMENT ON COLUMN millrace_continuous_workflow.executor_id IS
  'Owner: the executor that runs the trigger.';
COMMENT ON COLUMN millrace_continuous_workflow.epoch IS
  'Number of owners. The fence of what the owner writes.';
COMMENT ON COLUMN millrace_continuous_workflow.preferred_executor_id IS
  'Executor that should claim the workflow next.';
COMMENT ON COLUMN millrace_continuous_workflow.start_mode IS 'How the next run is started.';
COMMENT ON COLUMN millrace_continuous_workflow.start_reason IS 'Why the next run is started.';
COMMENT ON COLUMN millrace_continuous_workflow.series IS
  'Number of the series of runs: how often the workflow had been enabled when the newest run '
  'started.';
COMMENT ON COLUMN millrace_continuous_workflow.generation IS 'Number of the run in its series.';
COMMENT ON COLUMN millrace_continuous_workflow.series_started_at IS
  'When the first run of the series started.';
COMMENT ON COLUMN millrace_continuous_workflow.run_started_at IS 'When the newest run started.';
COMMENT ON COLUMN millrace_continuous_workflow.run_mode IS 'How the newest run was started.';
COMMENT ON COLUMN millrace_continuous_workflow.run_reason IS 'Why the newest run was started.';
COMMENT ON COLUMN millrace_continuous_workflow.iteration_count IS
  'Executions that have ended in the newest run.';
COMMENT ON COLUMN millrace_continuous_workflow.fire_count IS
  'Executions that were started in all runs.';
COMMENT ON COLUMN millrace_continuous_workflow.last_fired_at IS
  'When an execution was last started.';
COMMENT ON COLUMN millrace_continuous_workflow.last_ended_at IS 'When an execution last ended.';
COMMENT ON COLUMN millrace_continuous_workflow.last_result IS
  'Status with which the last execution ended.';
COMMENT ON COLUMN millrace_continuous_workflow.execution_id IS
  'Instance for whose end the trigger waits.';
COMMENT ON COLUMN millrace_continuous_workflow.position IS
  'Position of the trigger, as the trigger wrote it. Null before its first event.';
COMMENT ON COLUMN millrace_continuous_workflow.failure_count IS 'Failures in a row.';
COMMENT ON COLUMN millrace_continuous_workflow.backoff_until IS
  'Time before which it is not started again.';
COMMENT ON COLUMN millrace_continuous_workflow.crash_loop IS
  'True if it fails repeatedly and needs an operator.';
COMMENT ON COLUMN millrace_continuous_workflow.error IS 'The last failure.';
COMMENT ON COLUMN millrace_continuous_workflow.down_since IS
  'Since when it has had no owner although it is enabled.';
COMMENT ON COLUMN millrace_continuous_workflow.debug_until IS
  'End of the debug session. Until then the run is not continued.';
COMMENT ON COLUMN millrace_continuous_workflow.debug_by IS 'User of the debug session.';
COMMENT ON COLUMN millrace_continuous_workflow.log_seq IS 'seq of its newest log entry.';
COMMENT ON COLUMN millrace_continuous_workflow.created_at IS 'When it was registered.';
COMMENT ON COLUMN millrace_continuous_workflow.modified_at IS 'When the row was last changed.';
CREATE INDEX millrace_continuous_workflow_enabled
  ON millrace_continuous_workflow (executor_group, executor_id, name) WHERE enabled;
CREATE INDEX millrace_continuous_workflow_owner
  ON millrace_continuous_workflow (executor_id, name) INCLUDE (epoch) WHERE executor_id IS NOT NULL;
CREATE INDEX millrace_continuous_workflow_attention
  ON millrace_continuous_workflow (executor_id) WHERE attention;
CREATE INDEX millrace_continuous_workflow_busy
  ON millrace_continuous_workflow (executor_id) WHERE execution_id IS NOT NULL;
CREATE INDEX millrace_continuous_workflow_idle
  ON millrace_continuous_workflow (executor_id, run_started_at)
  WHERE iteration_count > 0 AND execution_id IS NULL;

CREATE TABLE millrace_continuous_log (
  name        varchar(200) COLLATE "C" NOT NULL,
  seq         bigint NOT NULL,
  recorded_at timestamptz NOT NULL,
  type        varchar(30) NOT NULL,
  reason      varchar(100),
  executor_id bigint,
  series      bigint NOT NULL,
  generation  bigint NOT NULL,
  epoch       bigint NOT NULL,
  detail      varchar(1200),
  CONSTRAINT millrace_continuous_log_key PRIMARY KEY (name, seq)
);
COMMENT ON TABLE millrace_continuous_log IS
  'What has happened to a continuous workflow. Written in the transaction of the change. The '
  'newest 1,000 of each workflow are kept.';
COMMENT ON COLUMN millrace_continuous_log.name IS 'Name of the continuous workflow.';
COMMENT ON COLUMN millrace_continuous_log.seq IS 'Number of the entry.';
COMMENT ON COLUMN millrace_continuous_log.recorded_at IS 'When it happened.';
COMMENT ON COLUMN millrace_continuous_log.type IS
  'What happened, such as STARTED, CONTINUED or FAILED.';
COMMENT ON COLUMN millrace_continuous_log.reason IS 'Why it happened.';
COMMENT ON COLUMN millrace_continuous_log.executor_id IS 'Owner at that time.';
COMMENT ON COLUMN millrace_continuous_log.series IS 'Series at that time.';
COMMENT ON COLUMN millrace_continuous_log.generation IS 'Generation at that time.';
COMMENT ON COLUMN millrace_continuous_log.epoch IS 'Epoch at that time.';
COMMENT ON COLUMN millrace_continuous_log.detail IS 'Details as text.';

CREATE TABLE millrace_offered_event (
  id          bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  name        varchar(200) COLLATE "C" NOT NULL,
  event_key   varchar(200) COLLATE "C" NOT NULL,
  payload     text NOT NULL,
  offered_at  timestamptz NOT NULL,
  CONSTRAINT millrace_offered_event_key UNIQUE (name, event_key)
);
COMMENT ON TABLE millrace_offered_event IS
  'An event that a client has offered to a continuous workflow, and that its trigger has not '
  'accepted. Written by requests, and deleted by the owner.';
COMMENT ON COLUMN millrace_offered_event.id IS
  'Number of the event. Triggers accept events in this order.';
COMMENT ON COLUMN millrace_offered_event.name IS 'Name of the continuous workflow.';
COMMENT ON COLUMN millrace_offered_event.event_key IS
  'Key of the sender. A second event with the same key is dropped.';
COMMENT ON COLUMN millrace_offered_event.payload IS 'Payload as JSON.';
COMMENT ON COLUMN millrace_offered_event.offered_at IS 'When it was offered.';
CREATE INDEX millrace_offered_event_order ON millrace_offered_event (name, id);

CREATE TABLE millrace_trigger_memory (
  name varchar(200) COLLATE "C" NOT NULL,
  item varchar(200) COLLATE "C" NOT NULL,
  CONSTRAINT millrace_trigger_memory_key PRIMARY KEY (name, item)
);
COMMENT ON TABLE millrace_trigger_memory IS
  'An item that a trigger has accepted and must not accept again, such as a file that stays in '
  'its folder. Written by the owner with the position of the trigger.';
COMMENT ON COLUMN millrace_trigger_memory.name IS 'Name of the continuous workflow.';
COMMENT ON COLUMN millrace_trigger_memory.item IS 'Text that identifies the item.';

CREATE TABLE millrace_continuous_removal (
  name varchar(200) COLLATE "C" PRIMARY KEY
);
COMMENT ON TABLE millrace_continuous_removal IS
  'A removed continuous workflow with many rows, which retention deletes in parts.';
COMMENT ON COLUMN millrace_continuous_removal.name IS
  'Continuous workflow whose log, offered events and memory are still to be deleted.';

CREATE VIEW millrace_continuous_status AS
SELECT c.name, c.executor_group, c.type, c.enabled,
  CASE
    WHEN NOT c.enabled AND c.executor_id IS NULL THEN 'disabled'
    WHEN NOT c.enabled THEN 'stopping'
    WHEN c.crash_loop THEN 'crashLoop'
    WHEN c.executor_id IS NOT NULL AND c.execution_id IS NULL THEN 'waiting'
    WHEN c.executor_id IS NOT NULL THEN 'running'
    WHEN c.backoff_until > CURRENT_TIMESTAMP THEN 'backingOff'
    ELSE 'down'
  END AS state,
  c.executor_id, e.host, e.pid, c.epoch, c.series, c.generation, c.run_started_at, c.run_mode,
  c.run_reason, c.iteration_count, c.fire_count, c.last_fired_at, c.last_ended_at, c.last_result,
  c.execution_id, c.down_since, c.failure_count, c.backoff_until, c.error, c.debug_until, c.debug_by
FROM millrace_continuous_workflow c LEFT JOIN millrace_executor e ON e.id = c.executor_id;
COMMENT ON VIEW millrace_continuous_status IS
  'A continuous workflow with its state, for people and their queries.';
COMMENT ON COLUMN millrace_continuous_status.name IS 'Name of the continuous workflow.';
COMMENT ON COLUMN millrace_continuous_status.executor_group IS
  'Group of the executors that may run it.';
COMMENT ON COLUMN millrace_continuous_status.type IS 'Type of its executions.';
COMMENT ON COLUMN millrace_continuous_status.enabled IS
  'False if an operator has disabled it, or its code has registered it so.';
COMMENT ON COLUMN millrace_continuous_status.state IS
  'disabled, stopping, waiting in its trigger, running an execution, down without an owner, '
  'backingOff after a failure, or crashLoop.';
COMMENT ON COLUMN millrace_continuous_status.executor_id IS
  'Owner: the executor that runs the trigger.';
COMMENT ON COLUMN millrace_continuous_status.host IS 'Machine of the owner.';
COMMENT ON COLUMN millrace_continuous_status.pid IS 'Process of the owner.';
COMMENT ON COLUMN millrace_continuous_status.epoch IS 'Number of owners.';
COMMENT ON COLUMN millrace_continuous_status.series IS
  'Number of the series of runs: how often the workflow had been enabled when the newest run '
  'started.';
COMMENT ON COLUMN millrace_continuous_status.generation IS 'Number of the run in its series.';
COMMENT ON COLUMN millrace_continuous_status.run_started_at IS 'When the newest run started.';
COMMENT ON COLUMN millrace_continuous_status.run_mode IS 'How the newest run was started.';
COMMENT ON COLUMN millrace_continuous_status.run_reason IS 'Why the newest run was started.';
COMMENT ON COLUMN millrace_continuous_status.iteration_count IS
  'Executions that have ended in the newest run.';
COMMENT ON COLUMN millrace_continuous_status.fire_count IS
  'Executions that were started in all runs.';
COMMENT ON COLUMN millrace_continuous_status.last_fired_at IS
  'When an execution was last started.';
COMMENT ON COLUMN millrace_continuous_status.last_ended_at IS 'When an execution last ended.';
COMMENT ON COLUMN millrace_continuous_status.last_result IS
  'Status with which the last execution ended.';
COMMENT ON COLUMN millrace_continuous_status.execution_id IS
  'Instance for whose end the trigger waits.';
COMMENT ON COLUMN millrace_continuous_status.down_since IS
  'Since when it has had no owner although it is enabled.';
COMMENT ON COLUMN millrace_continuous_status.failure_count IS 'Failures in a row.';
COMMENT ON COLUMN millrace_continuous_status.backoff_until IS
  'Time before which it is not started again.';
COMMENT ON COLUMN millrace_continuous_status.error IS 'The last failure.';
COMMENT ON COLUMN millrace_continuous_status.debug_until IS
  'End of the debug session. Until then the run is not continued.';
COMMENT ON COLUMN millrace_continuous_status.debug_by IS 'User of the debug session.';
