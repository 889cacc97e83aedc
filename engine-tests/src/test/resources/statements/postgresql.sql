-- insert, plain

WITH started AS MATERIALIZED (
  SELECT nextval('millrace_instance_id_seq') AS id, d.* FROM (SELECT v.*, CAST(? AS varchar) AS type, CAST(? AS integer) AS version,
        CAST(? AS integer) AS definition_id,
        CAST(? AS varchar) AS executor_group,
        CAST(? AS integer) AS priority, CAST(NULL AS varchar) AS business_key,
        CAST(NULL AS varchar) AS external_id, CAST(NULL AS bigint) AS parent_id,
        CAST(NULL AS varchar) AS payload_hash, CAST(? AS varchar) AS state,
        v.now + CAST(? AS bigint) * INTERVAL '0.000001' SECOND AS due,
        CAST(? AS bigint) AS holder, 0 AS variable_count
 FROM (SELECT v.*, (SELECT clock_timestamp()) AS now
       FROM UNNEST(CAST(? AS bigint ARRAY), CAST(? AS text ARRAY))
         AS v(row_key, input)) v) d),
inserted AS (
  INSERT INTO millrace_instance (id, type, version, definition_id, executor_group, priority, business_key, external_id,
parent_id, payload_hash, input, state, status, next_activation_at, executor_id, lease_version,
attempt, created_at, modified_at, entered_at, variable_count)
  SELECT d.id, d.type, d.version, d.definition_id, d.executor_group, d.priority, d.business_key,
d.external_id, d.parent_id, d.payload_hash, d.input, d.state, 'created', d.due, d.holder,
CASE WHEN d.holder IS NULL THEN 0 ELSE 1 END, CASE WHEN d.holder IS NULL THEN 0 ELSE 1 END,
d.now, d.now, d.now, d.variable_count
  FROM started d)
SELECT started.row_key, started.id, started.now FROM started;

-- claim

WITH clock AS MATERIALIZED (SELECT clock_timestamp() AS now),
due AS MATERIALIZED (
  SELECT picked.id
  FROM generate_series(9, 0, -1) AS level(priority)
  CROSS JOIN LATERAL (
    SELECT w.id FROM millrace_instance w
    WHERE w.executor_group = ? AND w.priority = level.priority
      AND w.next_activation_at <= (SELECT now FROM clock)
      AND w.executor_id IS NULL AND w.status IN ('created', 'inProgress')
      AND w.definition_id = ANY(CAST(? AS integer ARRAY))
    ORDER BY w.next_activation_at, w.id
    LIMIT ?
    FOR UPDATE SKIP LOCKED) picked
  LIMIT ?)
UPDATE millrace_instance w SET
  executor_id = ?,
  lease_version = w.lease_version + 1,
  attempt = w.attempt + 1,
  wake_at = NULL,
  modified_at = clock.now
FROM due, clock
WHERE w.id = due.id
RETURNING w.id, w.type, w.version, w.executor_group, w.priority, w.business_key, w.external_id,
w.parent_id, w.state, w.status, w.reason, w.entered_seq, w.next_activation_at, w.waiting_for,
w.wait_until, w.executor_id, w.lease_version, w.seq, w.attempt, w.recovery_count, w.created_at,
w.modified_at, w.entered_at, w.ended_at, w.child_count, w.open_child_count, w.failed_child_count,
w.variable_count, w.inbox_count, w.steps_seq, w.progress_done, w.progress_total, w.progress_text,
w.failure_fingerprint
, CASE WHEN OCTET_LENGTH(w.input) <= 16384 THEN w.input END AS input, OCTET_LENGTH(w.input) AS input_bytes, clock.now;

-- save, plain

WITH saved AS MATERIALIZED (
  SELECT d.* FROM (SELECT v.*, v.now - v.took * INTERVAL '0.000001' SECOND AS started_at,
        CAST(NULL AS timestamp with time zone) AS due,
        CAST(? AS bigint) AS executor_id, CAST(? AS varchar) AS type,
        CAST(NULL AS text) AS error, CAST(NULL AS varchar) AS actor,
        CAST(NULL AS varchar) AS waiting_for, CAST(NULL AS text) AS changes,
        0 AS children, 0 AS consumed, CAST(NULL AS bigint) AS progress_done,
        CAST(NULL AS bigint) AS progress_total, CAST(NULL AS varchar) AS progress_text,
        NOT v.keeping AS ending
 FROM (SELECT v.*, (SELECT clock_timestamp()) AS now
       FROM UNNEST(
         CAST(? AS bigint ARRAY), CAST(? AS integer ARRAY),
         CAST(? AS integer ARRAY), CAST(? AS varchar ARRAY),
         CAST(? AS varchar ARRAY), CAST(? AS integer ARRAY),
         CAST(? AS bigint ARRAY), CAST(? AS varchar ARRAY),
         CAST(? AS varchar ARRAY), CAST(? AS boolean ARRAY),
         CAST(? AS boolean ARRAY), CAST(? AS integer ARRAY),
         CAST(? AS integer ARRAY))
         AS v(id, lease_version, seq, from_state, reason, entry_attempt, took, state, status,
              new_visit, keeping, attempt, variable_count)) v) d LIMIT (SELECT 2147483647)),
updated AS (
  UPDATE millrace_instance w SET
  state = d.state,
status = d.status,
reason = d.reason,
seq = w.seq + 1,
attempt = d.attempt,
recovery_count = 0,
entered_seq = CASE WHEN d.new_visit THEN w.seq + 1 ELSE w.entered_seq END,
entered_at = CASE WHEN d.new_visit THEN d.now ELSE w.entered_at END,
modified_at = d.now,
ended_at = CASE WHEN d.ending THEN d.now END,
waiting_for = d.waiting_for,
wait_until = CASE WHEN d.waiting_for IS NOT NULL OR (w.wake_at IS NOT NULL AND NOT d.keeping)
                  THEN d.due END,
executor_id = CASE WHEN d.keeping THEN w.executor_id END,
wake_at = CASE WHEN d.keeping THEN w.wake_at END,
next_activation_at = CASE
  WHEN d.keeping THEN w.next_activation_at
  WHEN d.ending THEN NULL
  WHEN w.wake_at IS NOT NULL THEN d.now
  WHEN d.waiting_for = 'children' AND w.open_child_count + d.children = 0
    AND (d.attempt = 0 OR d.due IS NULL) THEN d.now
  ELSE d.due END,
variable_count = d.variable_count,
inbox_count = w.inbox_count - d.consumed,
child_count = w.child_count + d.children,
open_child_count = w.open_child_count + d.children,
progress_done = COALESCE(d.progress_done, w.progress_done),
progress_total = CASE WHEN d.progress_done IS NULL THEN w.progress_total
                      ELSE d.progress_total END,
progress_text = CASE WHEN d.progress_done IS NULL THEN w.progress_text
                     ELSE d.progress_text END
  FROM saved d WHERE w.id = d.id AND w.executor_id IS NOT DISTINCT FROM d.executor_id
  AND w.lease_version = d.lease_version AND w.seq = d.seq
  RETURNING d.id, d.seq, d.type, d.from_state, d.state, d.reason, d.error, d.changes, d.executor_id,
d.lease_version, d.entry_attempt, d.actor, d.started_at, d.now, w.inbox_count),
recorded AS (
  INSERT INTO millrace_history (instance_id, seq, type, from_state, to_state, reason,
  error, variables, executor_id, lease_version, attempt, actor, started_at, ended_at)
SELECT d.id, d.seq + 1, d.type, d.from_state, d.state, d.reason, d.error, d.changes,
  d.executor_id, d.lease_version, d.entry_attempt, d.actor, d.started_at, d.now
FROM
  updated d)
SELECT updated.id, updated.inbox_count FROM updated;

-- save of the end

SELECT w.id, w.type, w.version, w.executor_group, w.priority, w.business_key, w.external_id,
w.parent_id, w.state, w.status, w.reason, w.entered_seq, w.next_activation_at, w.waiting_for,
w.wait_until, w.executor_id, w.lease_version, w.seq, w.attempt, w.recovery_count, w.created_at,
w.modified_at, w.entered_at, w.ended_at, w.child_count, w.open_child_count, w.failed_child_count,
w.variable_count, w.inbox_count, w.steps_seq, w.progress_done, w.progress_total, w.progress_text,
w.failure_fingerprint
 FROM millrace_instance w WHERE w.id = ?;

WITH saved AS MATERIALIZED (
  SELECT d.* FROM (SELECT v.*, v.now - v.took * INTERVAL '0.000001' SECOND AS started_at,
        CAST(NULL AS timestamp with time zone) AS due,
        CAST(? AS bigint) AS executor_id, CAST(? AS varchar) AS type,
        CAST(NULL AS text) AS error, CAST(NULL AS varchar) AS actor,
        CAST(NULL AS varchar) AS waiting_for, CAST(NULL AS text) AS changes,
        0 AS children, 0 AS consumed, CAST(NULL AS bigint) AS progress_done,
        CAST(NULL AS bigint) AS progress_total, CAST(NULL AS varchar) AS progress_text,
        NOT v.keeping AS ending
 FROM (SELECT v.*, (SELECT clock_timestamp()) AS now
       FROM UNNEST(
         CAST(? AS bigint ARRAY), CAST(? AS integer ARRAY),
         CAST(? AS integer ARRAY), CAST(? AS varchar ARRAY),
         CAST(? AS varchar ARRAY), CAST(? AS integer ARRAY),
         CAST(? AS bigint ARRAY), CAST(? AS varchar ARRAY),
         CAST(? AS varchar ARRAY), CAST(? AS boolean ARRAY),
         CAST(? AS boolean ARRAY), CAST(? AS integer ARRAY),
         CAST(? AS integer ARRAY))
         AS v(id, lease_version, seq, from_state, reason, entry_attempt, took, state, status,
              new_visit, keeping, attempt, variable_count)) v) d LIMIT (SELECT 2147483647)),
updated AS (
  UPDATE millrace_instance w SET
  state = d.state,
status = d.status,
reason = d.reason,
seq = w.seq + 1,
attempt = d.attempt,
recovery_count = 0,
entered_seq = CASE WHEN d.new_visit THEN w.seq + 1 ELSE w.entered_seq END,
entered_at = CASE WHEN d.new_visit THEN d.now ELSE w.entered_at END,
modified_at = d.now,
ended_at = CASE WHEN d.ending THEN d.now END,
waiting_for = d.waiting_for,
wait_until = CASE WHEN d.waiting_for IS NOT NULL OR (w.wake_at IS NOT NULL AND NOT d.keeping)
                  THEN d.due END,
executor_id = CASE WHEN d.keeping THEN w.executor_id END,
wake_at = CASE WHEN d.keeping THEN w.wake_at END,
next_activation_at = CASE
  WHEN d.keeping THEN w.next_activation_at
  WHEN d.ending THEN NULL
  WHEN w.wake_at IS NOT NULL THEN d.now
  WHEN d.waiting_for = 'children' AND w.open_child_count + d.children = 0
    AND (d.attempt = 0 OR d.due IS NULL) THEN d.now
  ELSE d.due END,
variable_count = d.variable_count,
inbox_count = w.inbox_count - d.consumed,
child_count = w.child_count + d.children,
open_child_count = w.open_child_count + d.children,
progress_done = COALESCE(d.progress_done, w.progress_done),
progress_total = CASE WHEN d.progress_done IS NULL THEN w.progress_total
                      ELSE d.progress_total END,
progress_text = CASE WHEN d.progress_done IS NULL THEN w.progress_text
                     ELSE d.progress_text END
  FROM saved d WHERE w.id = d.id AND w.executor_id IS NOT DISTINCT FROM d.executor_id
  AND w.lease_version = d.lease_version AND w.seq = d.seq
  RETURNING d.id, d.seq, d.type, d.from_state, d.state, d.reason, d.error, d.changes, d.executor_id,
d.lease_version, d.entry_attempt, d.actor, d.started_at, d.now, w.inbox_count),
recorded AS (
  INSERT INTO millrace_history (instance_id, seq, type, from_state, to_state, reason,
  error, variables, executor_id, lease_version, attempt, actor, started_at, ended_at)
SELECT d.id, d.seq + 1, d.type, d.from_state, d.state, d.reason, d.error, d.changes,
  d.executor_id, d.lease_version, d.entry_attempt, d.actor, d.started_at, d.now
FROM
  updated d)
SELECT updated.id, updated.inbox_count FROM updated;

-- insert with an external id and a variable

SET LOCAL idle_in_transaction_session_timeout = '8s';

SET LOCAL lock_timeout = '20ms';

WITH started AS MATERIALIZED (
  SELECT nextval('millrace_instance_id_seq') AS id, d.* FROM (SELECT v.*, COALESCE(CAST(v.due_at AS timestamp with time zone),
                      v.now + v.due_after * INTERVAL '0.000001' SECOND) AS due
 FROM (SELECT v.*, (SELECT clock_timestamp()) AS now
       FROM UNNEST(
         CAST(? AS bigint ARRAY), CAST(? AS varchar ARRAY),
         CAST(? AS integer ARRAY), CAST(? AS integer ARRAY),
         CAST(? AS varchar ARRAY), CAST(? AS integer ARRAY),
         CAST(? AS varchar ARRAY), CAST(? AS varchar ARRAY),
         CAST(? AS bigint ARRAY), CAST(? AS varchar ARRAY),
         CAST(? AS text ARRAY), CAST(? AS varchar ARRAY),
         CAST(? AS varchar ARRAY), CAST(? AS bigint ARRAY),
         CAST(? AS bigint ARRAY), CAST(? AS integer ARRAY))
         AS v(row_key, type, version, definition_id, executor_group, priority, business_key,
              external_id, parent_id, payload_hash, input, state, due_at, due_after, holder,
              variable_count)) v) d),
inserted AS (
  INSERT INTO millrace_instance (id, type, version, definition_id, executor_group, priority, business_key, external_id,
parent_id, payload_hash, input, state, status, next_activation_at, executor_id, lease_version,
attempt, created_at, modified_at, entered_at, variable_count)
  SELECT d.id, d.type, d.version, d.definition_id, d.executor_group, d.priority, d.business_key,
d.external_id, d.parent_id, d.payload_hash, d.input, d.state, 'created', d.due, d.holder,
CASE WHEN d.holder IS NULL THEN 0 ELSE 1 END, CASE WHEN d.holder IS NULL THEN 0 ELSE 1 END,
d.now, d.now, d.now, d.variable_count
  FROM started d ON CONFLICT DO NOTHING RETURNING id)
SELECT started.row_key, started.id, started.now FROM started JOIN inserted ON inserted.id = started.id;

INSERT INTO millrace_variable (instance_id, name, "value", search_value)
SELECT d.instance_id, d.name, d.json, d.search_value FROM
UNNEST(CAST(? AS bigint ARRAY), CAST(? AS varchar ARRAY),
       CAST(? AS text ARRAY), CAST(? AS varchar ARRAY))
  AS d(instance_id, name, json, search_value);

-- save of a failed attempt

WITH clock AS MATERIALIZED (SELECT clock_timestamp() AS now),
due AS MATERIALIZED (
  SELECT picked.id
  FROM generate_series(9, 0, -1) AS level(priority)
  CROSS JOIN LATERAL (
    SELECT w.id FROM millrace_instance w
    WHERE w.executor_group = ? AND w.priority = level.priority
      AND w.next_activation_at <= (SELECT now FROM clock)
      AND w.executor_id IS NULL AND w.status IN ('created', 'inProgress')
      AND w.definition_id = ANY(CAST(? AS integer ARRAY))
    ORDER BY w.next_activation_at, w.id
    LIMIT ?
    FOR UPDATE SKIP LOCKED) picked
  LIMIT ?)
UPDATE millrace_instance w SET
  executor_id = ?,
  lease_version = w.lease_version + 1,
  attempt = w.attempt + 1,
  wake_at = NULL,
  modified_at = clock.now
FROM due, clock
WHERE w.id = due.id
RETURNING w.id, w.type, w.version, w.executor_group, w.priority, w.business_key, w.external_id,
w.parent_id, w.state, w.status, w.reason, w.entered_seq, w.next_activation_at, w.waiting_for,
w.wait_until, w.executor_id, w.lease_version, w.seq, w.attempt, w.recovery_count, w.created_at,
w.modified_at, w.entered_at, w.ended_at, w.child_count, w.open_child_count, w.failed_child_count,
w.variable_count, w.inbox_count, w.steps_seq, w.progress_done, w.progress_total, w.progress_text,
w.failure_fingerprint
, CASE WHEN OCTET_LENGTH(w.input) <= 16384 THEN w.input END AS input, OCTET_LENGTH(w.input) AS input_bytes, clock.now;

SELECT instance_id, place, name,
  CASE WHEN so_far <= CASE WHEN place = 0 THEN CAST(? AS bigint) ELSE CAST(? AS bigint) END
    THEN content END AS content
FROM (
  SELECT t.place, t.instance_id, t.name, t.content,
    SUM(OCTET_LENGTH(t.content)) OVER (ORDER BY t.place) AS so_far
  FROM (SELECT d.place, v.instance_id, v.name, v."value" AS content
FROM (SELECT d.* FROM UNNEST(CAST(? AS bigint ARRAY), CAST(? AS integer ARRAY),
   CAST(? AS integer ARRAY)) AS d(instance_id, entered_seq, place)
 LIMIT (SELECT 2147483647)) d JOIN millrace_variable v ON v.instance_id = d.instance_id) t) sized;

WITH saved AS MATERIALIZED (
  SELECT d.* FROM (SELECT v.*, v.now - v.took * INTERVAL '0.000001' SECOND AS started_at,
        COALESCE(CAST(v.due_at AS timestamp with time zone),
                 v.now + v.due_after * INTERVAL '0.000001' SECOND) AS due
 FROM (SELECT v.*, (SELECT clock_timestamp()) AS now
       FROM UNNEST(
         CAST(? AS bigint ARRAY), CAST(? AS bigint ARRAY),
         CAST(? AS integer ARRAY), CAST(? AS integer ARRAY),
         CAST(? AS varchar ARRAY), CAST(? AS varchar ARRAY),
         CAST(? AS varchar ARRAY), CAST(? AS text ARRAY),
         CAST(? AS integer ARRAY), CAST(? AS bigint ARRAY),
         CAST(? AS varchar ARRAY), CAST(? AS varchar ARRAY),
         CAST(? AS varchar ARRAY), CAST(? AS varchar ARRAY),
         CAST(? AS bigint ARRAY), CAST(? AS varchar ARRAY),
         CAST(? AS boolean ARRAY), CAST(? AS boolean ARRAY),
         CAST(? AS boolean ARRAY), CAST(? AS integer ARRAY),
         CAST(? AS text ARRAY), CAST(? AS integer ARRAY),
         CAST(? AS integer ARRAY), CAST(? AS integer ARRAY),
         CAST(? AS bigint ARRAY), CAST(? AS bigint ARRAY),
         CAST(? AS varchar ARRAY))
         AS v(id, executor_id, lease_version, seq, type, from_state, reason, error,
              entry_attempt, took, actor, state, status, due_at, due_after, waiting_for,
              new_visit, keeping, ending, attempt, changes, variable_count, children, consumed,
              progress_done, progress_total, progress_text)) v) d LIMIT (SELECT 2147483647)),
updated AS (
  UPDATE millrace_instance w SET
  state = d.state,
status = d.status,
reason = d.reason,
seq = w.seq + 1,
attempt = d.attempt,
recovery_count = 0,
entered_seq = CASE WHEN d.new_visit THEN w.seq + 1 ELSE w.entered_seq END,
entered_at = CASE WHEN d.new_visit THEN d.now ELSE w.entered_at END,
modified_at = d.now,
ended_at = CASE WHEN d.ending THEN d.now END,
waiting_for = d.waiting_for,
wait_until = CASE WHEN d.waiting_for IS NOT NULL OR (w.wake_at IS NOT NULL AND NOT d.keeping)
                  THEN d.due END,
executor_id = CASE WHEN d.keeping THEN w.executor_id END,
wake_at = CASE WHEN d.keeping THEN w.wake_at END,
next_activation_at = CASE
  WHEN d.keeping THEN w.next_activation_at
  WHEN d.ending THEN NULL
  WHEN w.wake_at IS NOT NULL THEN d.now
  WHEN d.waiting_for = 'children' AND w.open_child_count + d.children = 0
    AND (d.attempt = 0 OR d.due IS NULL) THEN d.now
  ELSE d.due END,
variable_count = d.variable_count,
inbox_count = w.inbox_count - d.consumed,
child_count = w.child_count + d.children,
open_child_count = w.open_child_count + d.children,
progress_done = COALESCE(d.progress_done, w.progress_done),
progress_total = CASE WHEN d.progress_done IS NULL THEN w.progress_total
                      ELSE d.progress_total END,
progress_text = CASE WHEN d.progress_done IS NULL THEN w.progress_text
                     ELSE d.progress_text END
  FROM saved d WHERE w.id = d.id AND w.executor_id IS NOT DISTINCT FROM d.executor_id
  AND w.lease_version = d.lease_version AND w.seq = d.seq
  RETURNING d.id, d.seq, d.type, d.from_state, d.state, d.reason, d.error, d.changes, d.executor_id,
d.lease_version, d.entry_attempt, d.actor, d.started_at, d.now, w.inbox_count),
recorded AS (
  INSERT INTO millrace_history (instance_id, seq, type, from_state, to_state, reason,
  error, variables, executor_id, lease_version, attempt, actor, started_at, ended_at)
SELECT d.id, d.seq + 1, d.type, d.from_state, d.state, d.reason, d.error, d.changes,
  d.executor_id, d.lease_version, d.entry_attempt, d.actor, d.started_at, d.now
FROM
  updated d)
SELECT updated.id, updated.inbox_count FROM updated;

-- release

WITH clock AS MATERIALIZED (SELECT clock_timestamp() AS now),
due AS MATERIALIZED (
  SELECT picked.id
  FROM generate_series(9, 0, -1) AS level(priority)
  CROSS JOIN LATERAL (
    SELECT w.id FROM millrace_instance w
    WHERE w.executor_group = ? AND w.priority = level.priority
      AND w.next_activation_at <= (SELECT now FROM clock)
      AND w.executor_id IS NULL AND w.status IN ('created', 'inProgress')
      AND w.definition_id = ANY(CAST(? AS integer ARRAY))
    ORDER BY w.next_activation_at, w.id
    LIMIT ?
    FOR UPDATE SKIP LOCKED) picked
  LIMIT ?)
UPDATE millrace_instance w SET
  executor_id = ?,
  lease_version = w.lease_version + 1,
  attempt = w.attempt + 1,
  wake_at = NULL,
  modified_at = clock.now
FROM due, clock
WHERE w.id = due.id
RETURNING w.id, w.type, w.version, w.executor_group, w.priority, w.business_key, w.external_id,
w.parent_id, w.state, w.status, w.reason, w.entered_seq, w.next_activation_at, w.waiting_for,
w.wait_until, w.executor_id, w.lease_version, w.seq, w.attempt, w.recovery_count, w.created_at,
w.modified_at, w.entered_at, w.ended_at, w.child_count, w.open_child_count, w.failed_child_count,
w.variable_count, w.inbox_count, w.steps_seq, w.progress_done, w.progress_total, w.progress_text,
w.failure_fingerprint
, CASE WHEN OCTET_LENGTH(w.input) <= 16384 THEN w.input END AS input, OCTET_LENGTH(w.input) AS input_bytes, clock.now;

SELECT instance_id, place, name,
  CASE WHEN so_far <= CASE WHEN place = 0 THEN CAST(? AS bigint) ELSE CAST(? AS bigint) END
    THEN content END AS content
FROM (
  SELECT t.place, t.instance_id, t.name, t.content,
    SUM(OCTET_LENGTH(t.content)) OVER (ORDER BY t.place) AS so_far
  FROM (SELECT d.place, v.instance_id, v.name, v."value" AS content
FROM (SELECT d.* FROM UNNEST(CAST(? AS bigint ARRAY), CAST(? AS integer ARRAY),
   CAST(? AS integer ARRAY)) AS d(instance_id, entered_seq, place)
 LIMIT (SELECT 2147483647)) d JOIN millrace_variable v ON v.instance_id = d.instance_id) t) sized;

SET LOCAL idle_in_transaction_session_timeout = '3s';

UPDATE millrace_instance SET
  executor_id = NULL,
  attempt = GREATEST(attempt - 1, 0),
  next_activation_at = CASE WHEN wake_at IS NULL THEN next_activation_at ELSE clock_timestamp() END,
  wake_at = NULL,
  modified_at = clock_timestamp()
WHERE id = ? AND executor_id IS NOT DISTINCT FROM CAST(? AS bigint)
  AND lease_version = ?;

-- recover

SET LOCAL idle_in_transaction_session_timeout = '8s';

SELECT e.host, (e.expires_at < clock_timestamp() OR (e.stopped_at IS NOT NULL AND e.expires_at <= clock_timestamp())) AS dead
FROM millrace_executor e WHERE e.id = ? FOR UPDATE;

SELECT id, type, state, recovery_count FROM millrace_instance
WHERE executor_id = ? LIMIT ?
 FOR UPDATE SKIP LOCKED;

UPDATE millrace_instance SET
  executor_id = NULL,
  seq = seq + 1,
  recovery_count = recovery_count + 1,
  status = CASE WHEN recovery_count + 1 >= ? THEN 'manual' ELSE status END,
  reason = CASE WHEN recovery_count + 1 >= ? THEN CAST(? AS varchar)
                ELSE CAST(? AS varchar) END,
  wake_at = NULL,
  next_activation_at = clock_timestamp(),
  modified_at = clock_timestamp()
WHERE id = ANY(CAST(? AS bigint ARRAY));

INSERT INTO millrace_history (instance_id, seq, type, from_state, to_state, reason,
  executor_id, lease_version, attempt, started_at, ended_at)
SELECT id, seq, 'recovery', state, state, reason,
  ?, lease_version, 0, modified_at, modified_at
FROM millrace_instance WHERE id = ANY(CAST(? AS bigint ARRAY));

SELECT name FROM millrace_continuous_workflow WHERE executor_id = ?
ORDER BY name FOR UPDATE;

UPDATE millrace_executor SET recovered_at = clock_timestamp()
WHERE id = ? AND recovered_at IS NULL
  AND NOT EXISTS (SELECT 1 FROM millrace_instance w WHERE w.executor_id = ?);

-- fire

SET LOCAL idle_in_transaction_session_timeout = '8s';

SELECT s.sequence_id, (SELECT clock_timestamp()) AS now,
  COALESCE(OCTET_LENGTH(s.parameters), 0)
    + (SELECT COALESCE(SUM(OCTET_LENGTH(t.parameters)), 0) FROM millrace_sequence_task t
       WHERE t.sequence_id = s.sequence_id) AS parameter_bytes
FROM millrace_sequence s
WHERE s.executor_group = ? AND s.due_at <= (SELECT clock_timestamp())
ORDER BY s.executor_group, s.due_at, s.sequence_id LIMIT ?
 FOR UPDATE SKIP LOCKED;

SELECT t.sequence_id, t.position, t.task_id, t.next_task_id, t.parameters
FROM (
  SELECT v.sequence_id FROM UNNEST(CAST(? AS varchar ARRAY)) AS v(sequence_id)
  LIMIT (SELECT 2147483647)) asked
JOIN millrace_sequence_task t ON t.sequence_id = asked.sequence_id
ORDER BY t.sequence_id, t.position;

SELECT s.sequence_id, s.type, s.schedule_type, s.schedule, s.parameters,
  s.definition_version, s.executor_group, s.recurs, s.active, s.run_requested, s.restart,
  s.requested_by, s.paused_by, s.pause_reason, s.next_run_at, s.next_run_offset, s.due_at, s.last_ended_at,
  s.execution_id, s.resumed, s.revision, r.slot_at, r.window_from, r.window_to,
  r.end_recorded, r.result, w.status, w.executor_id, w.attempt,
  CASE WHEN w.executor_id IS NULL AND w.ended_at IS NULL THEN o.error END AS undelivered,
  CASE WHEN w.executor_id IS NULL AND w.ended_at IS NULL
      AND w.modified_at < clock_timestamp() - INTERVAL '15' SECOND THEN
    (SELECT CASE
        WHEN MAX(CASE WHEN ',' || e.definition_ids || ',' LIKE '%,' || w.definition_id || ',%'
          THEN 1 ELSE 0 END) = 0 THEN w.version END
      FROM millrace_executor e
      WHERE e.executor_group = w.executor_group AND e.stopped_at IS NULL
        AND e.expires_at > clock_timestamp() AND e.state = 'ACTIVE')
  END AS unknown_version
FROM (
  SELECT v.sequence_id FROM UNNEST(CAST(? AS varchar ARRAY)) AS v(sequence_id)
  LIMIT (SELECT 2147483647)) asked
JOIN millrace_sequence s ON s.sequence_id = asked.sequence_id
LEFT JOIN millrace_slot_record r ON r.execution_id = s.execution_id
LEFT JOIN millrace_instance w ON w.id = s.execution_id
LEFT JOIN millrace_outbox o ON o.instance_id = w.id AND o.seq = w.seq;

SELECT r.sequence_id, r.fire_number, r.window_from, r.window_to, r.execution_id
FROM (
  SELECT v.sequence_id, CAST(v.slot_at AS timestamp with time zone) AS slot_at, v.fire_number
  FROM UNNEST(CAST(? AS varchar ARRAY), CAST(? AS varchar ARRAY),
    CAST(? AS integer ARRAY)) AS v(sequence_id, slot_at, fire_number)
  LIMIT (SELECT 2147483647)) planned
JOIN millrace_slot_record r
  ON r.sequence_id = planned.sequence_id AND r.slot_at = planned.slot_at
  AND r.fire_number <= planned.fire_number
  AND (r.fire_number = planned.fire_number OR planned.fire_number = 0)
  AND r.execution_id IS NOT NULL;

SET LOCAL lock_timeout = '1000ms';

WITH started AS MATERIALIZED (
  SELECT nextval('millrace_instance_id_seq') AS id, d.* FROM (SELECT v.*, COALESCE(CAST(v.due_at AS timestamp with time zone),
                      v.now + v.due_after * INTERVAL '0.000001' SECOND) AS due
 FROM (SELECT v.*, (SELECT clock_timestamp()) AS now
       FROM UNNEST(
         CAST(? AS bigint ARRAY), CAST(? AS varchar ARRAY),
         CAST(? AS integer ARRAY), CAST(? AS integer ARRAY),
         CAST(? AS varchar ARRAY), CAST(? AS integer ARRAY),
         CAST(? AS varchar ARRAY), CAST(? AS varchar ARRAY),
         CAST(? AS bigint ARRAY), CAST(? AS varchar ARRAY),
         CAST(? AS text ARRAY), CAST(? AS varchar ARRAY),
         CAST(? AS varchar ARRAY), CAST(? AS bigint ARRAY),
         CAST(? AS bigint ARRAY), CAST(? AS integer ARRAY))
         AS v(row_key, type, version, definition_id, executor_group, priority, business_key,
              external_id, parent_id, payload_hash, input, state, due_at, due_after, holder,
              variable_count)) v) d),
inserted AS (
  INSERT INTO millrace_instance (id, type, version, definition_id, executor_group, priority, business_key, external_id,
parent_id, payload_hash, input, state, status, next_activation_at, executor_id, lease_version,
attempt, created_at, modified_at, entered_at, variable_count)
  SELECT d.id, d.type, d.version, d.definition_id, d.executor_group, d.priority, d.business_key,
d.external_id, d.parent_id, d.payload_hash, d.input, d.state, 'created', d.due, d.holder,
CASE WHEN d.holder IS NULL THEN 0 ELSE 1 END, CASE WHEN d.holder IS NULL THEN 0 ELSE 1 END,
d.now, d.now, d.now, d.variable_count
  FROM started d ON CONFLICT DO NOTHING RETURNING id)
SELECT started.row_key, started.id, started.now FROM started JOIN inserted ON inserted.id = started.id;

SELECT pg_notify(?, ?);

INSERT INTO millrace_slot_record (sequence_id, slot_at, fire_number, window_from, window_to,
  outcome, cause, reason, slot_count, execution_id, recorded_at, end_recorded)
SELECT decided.sequence_id, CAST(decided.slot_at AS timestamp with time zone),
  decided.fire_number, CAST(decided.window_from AS timestamp with time zone),
  CAST(decided.window_to AS timestamp with time zone), decided.outcome, decided.cause,
  decided.reason, decided.slot_count, decided.execution_id, decided.now,
  decided.execution_id IS NULL
FROM (
  SELECT v.*, (SELECT clock_timestamp()) AS now
  FROM UNNEST(CAST(? AS varchar ARRAY), CAST(? AS varchar ARRAY),
    CAST(? AS integer ARRAY), CAST(? AS varchar ARRAY),
    CAST(? AS varchar ARRAY), CAST(? AS varchar ARRAY),
    CAST(? AS varchar ARRAY), CAST(? AS varchar ARRAY),
    CAST(? AS integer ARRAY), CAST(? AS bigint ARRAY))
    AS v(sequence_id, slot_at, fire_number, window_from, window_to, outcome, cause, reason,
      slot_count, execution_id)) decided;

MERGE INTO millrace_sequence s USING (
  SELECT v.sequence_id, v.revision,
    CAST(v.next_run_at AS timestamp with time zone) AS next_run_at, v.next_run_offset,
    CAST(v.due_at AS timestamp with time zone) AS due_at, v.run_requested, v.restart,
    v.definition_version, v.execution_id, v.already_fired, (SELECT clock_timestamp()) AS now
  FROM UNNEST(CAST(? AS varchar ARRAY), CAST(? AS integer ARRAY),
    CAST(? AS varchar ARRAY), CAST(? AS integer ARRAY),
    CAST(? AS varchar ARRAY), CAST(? AS boolean ARRAY),
    CAST(? AS boolean ARRAY), CAST(? AS integer ARRAY),
    CAST(? AS bigint ARRAY), CAST(? AS boolean ARRAY))
    AS v(sequence_id, revision, next_run_at, next_run_offset, due_at, run_requested, restart,
      definition_version, execution_id, already_fired)
  LIMIT (SELECT 2147483647)) planned
  ON (s.sequence_id = planned.sequence_id AND s.revision = planned.revision)
WHEN MATCHED THEN UPDATE SET
  next_run_at = planned.next_run_at,
  next_run_offset = planned.next_run_offset,
  due_at = CASE
    WHEN planned.already_fired AND (s.run_requested OR s.restart) THEN planned.now
    ELSE planned.due_at END,
  run_requested = CASE
    WHEN planned.already_fired THEN s.run_requested ELSE planned.run_requested END,
  restart = CASE WHEN planned.already_fired THEN s.restart ELSE planned.restart END,
  resumed = FALSE,
  definition_version = planned.definition_version,
  execution_id = COALESCE(planned.execution_id, s.execution_id),
  revision = planned.revision + 1,
  modified_at = planned.now;

-- record the ends of executions

SET LOCAL idle_in_transaction_session_timeout = '8s';

SELECT r.id, r.sequence_id FROM millrace_slot_record r
WHERE r.end_recorded = FALSE AND (SELECT CASE WHEN w.ended_at IS NULL THEN w.id END
  FROM millrace_instance w WHERE w.id = r.execution_id) IS NULL
ORDER BY r.id LIMIT ?;

SELECT sequence_id FROM millrace_sequence WHERE sequence_id = ANY(CAST(? AS varchar ARRAY))
ORDER BY sequence_id FOR UPDATE;

SELECT r.id, r.sequence_id, r.execution_id, COALESCE(w.status, 'cancelled') AS result,
  COALESCE(w.ended_at, clock_timestamp()) AS ended_at
FROM (SELECT v.id FROM UNNEST(CAST(? AS bigint ARRAY)) AS v(id)
      LIMIT (SELECT 2147483647)) found
JOIN millrace_slot_record r ON r.id = found.id
LEFT JOIN millrace_instance w ON w.id = r.execution_id
WHERE r.end_recorded = FALSE AND (w.id IS NULL OR w.ended_at IS NOT NULL);

MERGE INTO millrace_slot_record r USING (
  SELECT v.id, v.result, CAST(v.ended_at AS timestamp with time zone) AS ended_at
  FROM UNNEST(CAST(? AS bigint ARRAY), CAST(? AS varchar ARRAY),
    CAST(? AS varchar ARRAY)) AS v(id, result, ended_at)
  LIMIT (SELECT 2147483647)) ended ON (r.id = ended.id)
WHEN MATCHED THEN UPDATE SET
  end_recorded = TRUE, ended_at = ended.ended_at, result = ended.result;

MERGE INTO millrace_sequence s USING (
  SELECT v.sequence_id, v.execution_id, v.result,
    CAST(v.ended_at AS timestamp with time zone) AS ended_at, (SELECT clock_timestamp()) AS now
  FROM UNNEST(CAST(? AS varchar ARRAY), CAST(? AS bigint ARRAY),
    CAST(? AS varchar ARRAY), CAST(? AS varchar ARRAY))
    AS v(sequence_id, execution_id, result, ended_at)
  LIMIT (SELECT 2147483647)) ended
  ON (s.sequence_id = ended.sequence_id AND s.execution_id = ended.execution_id)
WHEN MATCHED THEN UPDATE SET
  last_ended_at = ended.ended_at,
  revision = s.revision + 1,
  modified_at = ended.now,
  due_at = CASE
    WHEN NOT s.active OR s.paused_by IS NOT NULL THEN s.due_at
    WHEN (s.run_requested OR s.restart) AND (s.due_at IS NULL OR s.due_at > ended.now)
      THEN ended.now
    WHEN ended.result = 'finished' AND (s.due_at IS NULL OR s.due_at > s.next_run_at)
      THEN s.next_run_at
    ELSE s.due_at END;

-- retry of a fired execution

SET LOCAL idle_in_transaction_session_timeout = '8s';

SELECT DISTINCT component FROM millrace_schema WHERE component LIKE ?
  AND NOT component = ANY(CAST(? AS varchar ARRAY)) AND tableoid = TO_REGCLASS(QUOTE_IDENT(CURRENT_SCHEMA()) || '.millrace_schema') ORDER BY component;

SELECT sequence_id FROM millrace_slot_record WHERE execution_id = ?;

SELECT sequence_id FROM millrace_sequence WHERE sequence_id = ANY(CAST(? AS varchar ARRAY))
ORDER BY sequence_id FOR UPDATE;

SELECT id FROM millrace_slot_record WHERE execution_id = ? FOR UPDATE;

SELECT parent_id FROM millrace_instance WHERE id = ?;

SELECT w.id, w.type, w.version, w.executor_group, w.priority, w.business_key, w.external_id,
w.parent_id, w.state, w.status, w.reason, w.entered_seq, w.next_activation_at, w.waiting_for,
w.wait_until, w.executor_id, w.lease_version, w.seq, w.attempt, w.recovery_count, w.created_at,
w.modified_at, w.entered_at, w.ended_at, w.child_count, w.open_child_count, w.failed_child_count,
w.variable_count, w.inbox_count, w.steps_seq, w.progress_done, w.progress_total, w.progress_text,
w.failure_fingerprint
 FROM millrace_instance w WHERE w.id = ANY(CAST(? AS bigint ARRAY)) ORDER BY w.id FOR UPDATE;

UPDATE millrace_instance SET
  seq = seq + 1,
  state = ?,
  status = ?,
  reason = CASE WHEN ? THEN CAST(? AS varchar) ELSE reason END,
  executor_id = NULL,
  lease_version = lease_version + CASE WHEN executor_id IS NULL THEN 0 ELSE 1 END,
  attempt = CASE WHEN ? THEN 0 ELSE attempt END,
  recovery_count = CASE WHEN ? THEN 0 ELSE recovery_count END,
  entered_seq = CASE WHEN ? THEN seq + 1 ELSE entered_seq END,
  entered_at = CASE WHEN ? THEN clock_timestamp() ELSE entered_at END,
  modified_at = clock_timestamp(),
  failure_fingerprint = CASE WHEN ? THEN NULL ELSE failure_fingerprint END,
  ended_at = CASE WHEN ? THEN clock_timestamp() END,
  wake_at = NULL,
  waiting_for = CAST(? AS varchar),
  wait_until = CASE
    WHEN CAST(? AS varchar) IS NULL AND (? OR ?) THEN NULL
    WHEN ? THEN COALESCE(CAST(CAST(? AS varchar) AS timestamp with time zone),
  clock_timestamp() + CAST(? AS bigint) * INTERVAL '0.000001' SECOND)
    ELSE wait_until END,
  next_activation_at = CASE
    WHEN ? THEN NULL
    WHEN ? AND CAST(? AS varchar) = 'children' AND open_child_count = 0 THEN clock_timestamp()
    WHEN ? THEN COALESCE(CAST(CAST(? AS varchar) AS timestamp with time zone),
  clock_timestamp() + CAST(? AS bigint) * INTERVAL '0.000001' SECOND)
    ELSE next_activation_at END
WHERE id = ?;

INSERT INTO millrace_history (instance_id, seq, type, from_state, to_state, reason,
  variables, lease_version, attempt, actor, started_at, ended_at)
SELECT id, seq, ?, ?, state, ?, ?, lease_version, 0, ?, modified_at, modified_at
FROM millrace_instance WHERE id = ?;

UPDATE millrace_slot_record SET end_recorded = FALSE, ended_at = NULL, result = NULL
WHERE execution_id = ?;

UPDATE millrace_sequence SET
  due_at = clock_timestamp(), resumed = TRUE, revision = revision + 1, modified_at = clock_timestamp()
WHERE sequence_id = (SELECT r.sequence_id FROM millrace_slot_record r
    WHERE r.execution_id = ?)
  AND execution_id = ? AND active = TRUE AND paused_by IS NULL AND due_at IS NULL
  AND next_run_at IS NOT NULL;

SELECT seq, CASE WHEN status IN ('created', 'inProgress') AND next_activation_at <= clock_timestamp()
  THEN TRUE ELSE FALSE END AS due
FROM millrace_instance WHERE id = ?;

INSERT INTO millrace_audit (recorded_at, actor, action, instance_id, seq, target, reason, detail)
VALUES (clock_timestamp(), ?, ?, ?, ?, ?, ?, ?);

-- save with attached writes and a message

SET LOCAL idle_in_transaction_session_timeout = '8s';

WITH saved AS MATERIALIZED (
  SELECT d.* FROM (SELECT v.*, v.now - v.took * INTERVAL '0.000001' SECOND AS started_at,
        COALESCE(CAST(v.due_at AS timestamp with time zone),
                 v.now + v.due_after * INTERVAL '0.000001' SECOND) AS due
 FROM (SELECT v.*, (SELECT clock_timestamp()) AS now
       FROM UNNEST(
         CAST(? AS bigint ARRAY), CAST(? AS bigint ARRAY),
         CAST(? AS integer ARRAY), CAST(? AS integer ARRAY),
         CAST(? AS varchar ARRAY), CAST(? AS varchar ARRAY),
         CAST(? AS varchar ARRAY), CAST(? AS text ARRAY),
         CAST(? AS integer ARRAY), CAST(? AS bigint ARRAY),
         CAST(? AS varchar ARRAY), CAST(? AS varchar ARRAY),
         CAST(? AS varchar ARRAY), CAST(? AS varchar ARRAY),
         CAST(? AS bigint ARRAY), CAST(? AS varchar ARRAY),
         CAST(? AS boolean ARRAY), CAST(? AS boolean ARRAY),
         CAST(? AS boolean ARRAY), CAST(? AS integer ARRAY),
         CAST(? AS text ARRAY), CAST(? AS integer ARRAY),
         CAST(? AS integer ARRAY), CAST(? AS integer ARRAY),
         CAST(? AS bigint ARRAY), CAST(? AS bigint ARRAY),
         CAST(? AS varchar ARRAY))
         AS v(id, executor_id, lease_version, seq, type, from_state, reason, error,
              entry_attempt, took, actor, state, status, due_at, due_after, waiting_for,
              new_visit, keeping, ending, attempt, changes, variable_count, children, consumed,
              progress_done, progress_total, progress_text)) v) d LIMIT (SELECT 2147483647)),
updated AS (
  UPDATE millrace_instance w SET
  state = d.state,
status = d.status,
reason = d.reason,
seq = w.seq + 1,
attempt = d.attempt,
recovery_count = 0,
entered_seq = CASE WHEN d.new_visit THEN w.seq + 1 ELSE w.entered_seq END,
entered_at = CASE WHEN d.new_visit THEN d.now ELSE w.entered_at END,
modified_at = d.now,
ended_at = CASE WHEN d.ending THEN d.now END,
waiting_for = d.waiting_for,
wait_until = CASE WHEN d.waiting_for IS NOT NULL OR (w.wake_at IS NOT NULL AND NOT d.keeping)
                  THEN d.due END,
executor_id = CASE WHEN d.keeping THEN w.executor_id END,
wake_at = CASE WHEN d.keeping THEN w.wake_at END,
next_activation_at = CASE
  WHEN d.keeping THEN w.next_activation_at
  WHEN d.ending THEN NULL
  WHEN w.wake_at IS NOT NULL THEN d.now
  WHEN d.waiting_for = 'children' AND w.open_child_count + d.children = 0
    AND (d.attempt = 0 OR d.due IS NULL) THEN d.now
  ELSE d.due END,
variable_count = d.variable_count,
inbox_count = w.inbox_count - d.consumed,
child_count = w.child_count + d.children,
open_child_count = w.open_child_count + d.children,
progress_done = COALESCE(d.progress_done, w.progress_done),
progress_total = CASE WHEN d.progress_done IS NULL THEN w.progress_total
                      ELSE d.progress_total END,
progress_text = CASE WHEN d.progress_done IS NULL THEN w.progress_text
                     ELSE d.progress_text END
  FROM saved d WHERE w.id = d.id AND w.executor_id IS NOT DISTINCT FROM d.executor_id
  AND w.lease_version = d.lease_version AND w.seq = d.seq
  RETURNING d.id, d.seq, d.type, d.from_state, d.state, d.reason, d.error, d.changes, d.executor_id,
d.lease_version, d.entry_attempt, d.actor, d.started_at, d.now, w.inbox_count),
recorded AS (
  INSERT INTO millrace_history (instance_id, seq, type, from_state, to_state, reason,
  error, variables, executor_id, lease_version, attempt, actor, started_at, ended_at)
SELECT d.id, d.seq + 1, d.type, d.from_state, d.state, d.reason, d.error, d.changes,
  d.executor_id, d.lease_version, d.entry_attempt, d.actor, d.started_at, d.now
FROM
  updated d)
SELECT updated.id, updated.inbox_count FROM updated;

SELECT group_name, key_name, content, status, version, writer, expires_at, created_at, modified_at,
  (SELECT clock_timestamp()) AS now
FROM millrace_key_value
WHERE group_hash = ? AND key_hash = ? FOR UPDATE;

INSERT INTO millrace_key_value (group_hash, key_hash, group_name, key_name, content, status,
  version, writer, expires_at, created_at, modified_at)
VALUES (?, ?, ?, ?, ?, ?, 1, ?,
  clock_timestamp() + CAST(? AS bigint) * INTERVAL '0.000001' SECOND, clock_timestamp(), clock_timestamp())
 ON CONFLICT DO NOTHING;

SELECT id, name, generation, source_seq, deleted_seq, created_at, modified_at, (SELECT clock_timestamp()) AS now
FROM millrace_reduce_group
 WHERE name = ? FOR UPDATE;

INSERT INTO millrace_reduce_group (name, generation, source_seq, created_at, modified_at)
VALUES (?, 1, 0, clock_timestamp(), clock_timestamp())
 ON CONFLICT DO NOTHING;

MERGE INTO millrace_reduce_record r
USING (SELECT v.* FROM UNNEST(CAST(? AS varchar ARRAY), CAST(? AS varchar ARRAY),
    CAST(? AS varchar ARRAY), CAST(? AS bigint ARRAY))
    AS v(key_hash, value_hash, key_text, source_seq)) d
ON (r.group_id = ? AND r.generation = ? AND r.key_hash = d.key_hash)
WHEN MATCHED AND r.source_seq <= d.source_seq THEN UPDATE SET value_hash = d.value_hash,
  source_seq = d.source_seq, committed_at = CAST(? AS timestamp with time zone),
  committed_by = CAST(? AS bigint), key_text = COALESCE(d.key_text, r.key_text),
  reserved_by = CASE WHEN r.pending_hash <> d.value_hash THEN r.reserved_by END,
  reserved_until = CASE WHEN r.pending_hash <> d.value_hash THEN r.reserved_until END,
  pending_hash = CASE WHEN r.pending_hash <> d.value_hash THEN r.pending_hash END
WHEN NOT MATCHED THEN INSERT (group_id, generation, key_hash, key_text, value_hash,
    source_seq, committed_at, committed_by)
  VALUES (CAST(? AS integer), CAST(? AS integer), d.key_hash, d.key_text,
    d.value_hash, d.source_seq, CAST(? AS timestamp with time zone),
    CAST(? AS bigint));

INSERT INTO millrace_outbox (instance_id, seq, channel, state, retry, due_at)
SELECT d.id, d.seq, d.channel, d.state, d.retry,
  d.now + d.due_after * INTERVAL '0.000001' SECOND
FROM (SELECT d.*, (SELECT clock_timestamp()) AS now
      FROM UNNEST(CAST(? AS bigint ARRAY), CAST(? AS integer ARRAY),
        CAST(? AS varchar ARRAY), CAST(? AS varchar ARRAY),
        CAST(? AS boolean ARRAY), CAST(? AS bigint ARRAY))
      AS d(id, seq, channel, state, retry, due_after)) d;

-- insert with a message

SET LOCAL idle_in_transaction_session_timeout = '8s';

WITH started AS MATERIALIZED (
  SELECT nextval('millrace_instance_id_seq') AS id, d.* FROM (SELECT v.*, COALESCE(CAST(v.due_at AS timestamp with time zone),
                      v.now + v.due_after * INTERVAL '0.000001' SECOND) AS due
 FROM (SELECT v.*, (SELECT clock_timestamp()) AS now
       FROM UNNEST(
         CAST(? AS bigint ARRAY), CAST(? AS varchar ARRAY),
         CAST(? AS integer ARRAY), CAST(? AS integer ARRAY),
         CAST(? AS varchar ARRAY), CAST(? AS integer ARRAY),
         CAST(? AS varchar ARRAY), CAST(? AS varchar ARRAY),
         CAST(? AS bigint ARRAY), CAST(? AS varchar ARRAY),
         CAST(? AS text ARRAY), CAST(? AS varchar ARRAY),
         CAST(? AS varchar ARRAY), CAST(? AS bigint ARRAY),
         CAST(? AS bigint ARRAY), CAST(? AS integer ARRAY))
         AS v(row_key, type, version, definition_id, executor_group, priority, business_key,
              external_id, parent_id, payload_hash, input, state, due_at, due_after, holder,
              variable_count)) v) d),
inserted AS (
  INSERT INTO millrace_instance (id, type, version, definition_id, executor_group, priority, business_key, external_id,
parent_id, payload_hash, input, state, status, next_activation_at, executor_id, lease_version,
attempt, created_at, modified_at, entered_at, variable_count)
  SELECT d.id, d.type, d.version, d.definition_id, d.executor_group, d.priority, d.business_key,
d.external_id, d.parent_id, d.payload_hash, d.input, d.state, 'created', d.due, d.holder,
CASE WHEN d.holder IS NULL THEN 0 ELSE 1 END, CASE WHEN d.holder IS NULL THEN 0 ELSE 1 END,
d.now, d.now, d.now, d.variable_count
  FROM started d ON CONFLICT DO NOTHING RETURNING id)
SELECT started.row_key, started.id, started.now FROM started JOIN inserted ON inserted.id = started.id;

INSERT INTO millrace_outbox (instance_id, seq, channel, state, retry, due_at)
SELECT d.id, d.seq, d.channel, d.state, d.retry,
  d.now + d.due_after * INTERVAL '0.000001' SECOND
FROM (SELECT d.*, (SELECT clock_timestamp()) AS now
      FROM UNNEST(CAST(? AS bigint ARRAY), CAST(? AS integer ARRAY),
        CAST(? AS varchar ARRAY), CAST(? AS varchar ARRAY),
        CAST(? AS boolean ARRAY), CAST(? AS bigint ARRAY))
      AS d(id, seq, channel, state, retry, due_after)) d;

-- list dead executors

SELECT e.id FROM millrace_executor e
WHERE e.executor_group = ? AND (e.expires_at < clock_timestamp() OR (e.stopped_at IS NOT NULL AND e.expires_at <= clock_timestamp()))
  AND ((e.stopped_at IS NULL AND e.recovered_at IS NULL) OR ((SELECT w.id FROM millrace_instance w WHERE w.executor_id BETWEEN e.id AND e.id ORDER BY w.executor_id LIMIT 1) IS NOT NULL
  OR (SELECT a.name FROM millrace_continuous_workflow a WHERE a.executor_id BETWEEN e.id AND e.id ORDER BY a.executor_id LIMIT 1) IS NOT NULL))
ORDER BY e.id;

-- list forgotten executors

SELECT DISTINCT w.executor_id FROM millrace_instance w
WHERE w.executor_id > 0 AND w.executor_group = ?
  AND NOT EXISTS (SELECT 1 FROM millrace_executor e WHERE e.id = w.executor_id)
UNION
SELECT a.executor_id FROM millrace_continuous_workflow a
WHERE a.executor_id > 0 AND a.executor_group = ?
  AND NOT EXISTS (SELECT 1 FROM millrace_executor e WHERE e.id = a.executor_id)
ORDER BY 1;

-- stop

SET LOCAL idle_in_transaction_session_timeout = '8s';

UPDATE millrace_executor SET stopped_at = clock_timestamp(), expires_at = clock_timestamp(), state = ?
WHERE id = ? AND (CAST(? AS varchar) IS NULL OR incarnation = ?);

SELECT name FROM millrace_continuous_workflow WHERE executor_id = ?
ORDER BY name FOR UPDATE;

-- archive

SET LOCAL idle_in_transaction_session_timeout = '30s';

SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off; SET LOCAL enable_sort = off; SET LOCAL jit = off;

SELECT DISTINCT component FROM millrace_schema WHERE component LIKE ?
  AND NOT component = ANY(CAST(? AS varchar ARRAY)) AND tableoid = TO_REGCLASS(QUOTE_IDENT(CURRENT_SCHEMA()) || '.millrace_schema') ORDER BY component;

SELECT w.id FROM millrace_instance w WHERE w.ended_at < (SELECT clock_timestamp() - CAST(? AS bigint) * INTERVAL '0.000001' SECOND) AND w.executor_id IS NULL AND (SELECT r.id FROM millrace_slot_record r
  WHERE r.execution_id = w.id AND r.end_recorded = FALSE) IS NULL
 AND w.parent_id IS NULL ORDER BY w.ended_at, w.id LIMIT ? FOR UPDATE SKIP LOCKED;

SELECT w.id FROM millrace_instance w WHERE w.ended_at < (SELECT clock_timestamp() - CAST(? AS bigint) * INTERVAL '0.000001' SECOND) AND w.executor_id IS NULL AND (SELECT r.id FROM millrace_slot_record r
  WHERE r.execution_id = w.id AND r.end_recorded = FALSE) IS NULL
 AND w.id = ANY(ARRAY(WITH RECURSIVE parents (id) AS (
  (SELECT w.parent_id FROM millrace_instance w
    WHERE w.parent_id IS NOT NULL AND w.ended_at IS NOT NULL
    ORDER BY w.parent_id, w.ended_at, w.id LIMIT 1)
  UNION ALL
  SELECT (SELECT w.parent_id FROM millrace_instance w
    WHERE w.parent_id > parents.id AND w.ended_at IS NOT NULL
    ORDER BY w.parent_id, w.ended_at, w.id LIMIT 1)
  FROM parents WHERE parents.id IS NOT NULL)
SELECT c.id FROM parents CROSS JOIN LATERAL (SELECT w.id FROM millrace_instance w WHERE w.ended_at < (SELECT clock_timestamp() - CAST(? AS bigint) * INTERVAL '0.000001' SECOND) AND w.executor_id IS NULL AND (SELECT r.id FROM millrace_slot_record r
  WHERE r.execution_id = w.id AND r.end_recorded = FALSE) IS NULL
 AND w.parent_id = parents.id ORDER BY w.ended_at, w.id LIMIT ?) c
WHERE parents.id IS NOT NULL AND (
  SELECT p.id FROM millrace_instance p WHERE p.id = parents.id AND (p.ended_at IS NULL OR p.status = 'failed')) IS NULL LIMIT ?)) ORDER BY w.id FOR UPDATE SKIP LOCKED;

SELECT i.id, (SELECT COUNT(*) FROM (SELECT 1 FROM millrace_history r WHERE r.instance_id = i.id LIMIT ?) counted) + (SELECT COUNT(*) FROM (SELECT 1 FROM millrace_variable r WHERE r.instance_id = i.id LIMIT ?) counted) + (SELECT COUNT(*) FROM (SELECT 1 FROM millrace_message r WHERE r.instance_id = i.id LIMIT ?) counted) + (SELECT COUNT(*) FROM (SELECT 1 FROM millrace_step r WHERE r.instance_id = i.id LIMIT ?) counted) + (SELECT COUNT(*) FROM (SELECT 1 FROM millrace_log r WHERE r.instance_id = i.id LIMIT ?) counted) AS total FROM UNNEST(CAST(? AS bigint ARRAY)) AS i(id);

INSERT INTO millrace_archive_instance (id, type, version, definition_id, executor_group, priority, business_key, external_id,
parent_id, payload_hash, input, state, status, reason, entered_seq, next_activation_at,
waiting_for, wait_until, wake_at, executor_id, lease_version, seq, attempt,
recovery_count, created_at, modified_at, entered_at, ended_at, child_count, open_child_count,
failed_child_count, variable_count, inbox_count, steps_seq, progress_done, progress_total,
progress_text, failure_fingerprint
) SELECT id, type, version, definition_id, executor_group, priority, business_key, external_id,
parent_id, payload_hash, input, state, status, reason, entered_seq, next_activation_at,
waiting_for, wait_until, wake_at, executor_id, lease_version, seq, attempt,
recovery_count, created_at, modified_at, entered_at, ended_at, child_count, open_child_count,
failed_child_count, variable_count, inbox_count, steps_seq, progress_done, progress_total,
progress_text, failure_fingerprint
 FROM millrace_instance WHERE id = ANY(CAST(? AS bigint ARRAY));

DELETE FROM millrace_instance WHERE id = ANY(CAST(? AS bigint ARRAY));

INSERT INTO millrace_archive_history (instance_id, seq, type, from_state, to_state, reason, error, variables, executor_id,
lease_version, attempt, actor, started_at, ended_at
) SELECT instance_id, seq, type, from_state, to_state, reason, error, variables, executor_id,
lease_version, attempt, actor, started_at, ended_at
 FROM millrace_history WHERE instance_id = ANY(CAST(? AS bigint ARRAY));

DELETE FROM millrace_history WHERE instance_id = ANY(CAST(? AS bigint ARRAY));

INSERT INTO millrace_archive_variable (instance_id, name, "value", search_value) SELECT instance_id, name, "value", search_value FROM millrace_variable WHERE instance_id = ANY(CAST(? AS bigint ARRAY));

DELETE FROM millrace_variable WHERE instance_id = ANY(CAST(? AS bigint ARRAY));

INSERT INTO millrace_archive_message (id, instance_id, kind, name, payload, sent_at, actor, reason, consumed_seq, dedupe_key) SELECT id, instance_id, kind, name, payload, sent_at, actor, reason, consumed_seq, dedupe_key FROM millrace_message WHERE instance_id = ANY(CAST(? AS bigint ARRAY));

DELETE FROM millrace_message WHERE instance_id = ANY(CAST(? AS bigint ARRAY));

INSERT INTO millrace_archive_step (instance_id, entered_seq, name, result, created_at) SELECT instance_id, entered_seq, name, result, created_at FROM millrace_step WHERE instance_id = ANY(CAST(? AS bigint ARRAY));

DELETE FROM millrace_step WHERE instance_id = ANY(CAST(? AS bigint ARRAY));

DELETE FROM millrace_log WHERE instance_id = ANY(CAST(? AS bigint ARRAY));

-- delete executors

DELETE FROM millrace_executor WHERE id IN (SELECT e.id FROM millrace_executor e WHERE (e.stopped_at < clock_timestamp() - CAST(? AS bigint) * INTERVAL '0.000001' SECOND OR e.recovered_at < clock_timestamp() - CAST(? AS bigint) * INTERVAL '0.000001' SECOND) AND NOT (
((SELECT w.id FROM millrace_instance w WHERE w.executor_id BETWEEN e.id AND e.id ORDER BY w.executor_id LIMIT 1) IS NOT NULL
  OR (SELECT a.name FROM millrace_continuous_workflow a WHERE a.executor_id BETWEEN e.id AND e.id ORDER BY a.executor_id LIMIT 1) IS NOT NULL)
) ORDER BY e.id LIMIT ?);

-- find overdue instances

SET LOCAL idle_in_transaction_session_timeout = '30s';

SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off; SET LOCAL enable_sort = off; SET LOCAL jit = off;

SELECT w.id FROM millrace_instance w WHERE w.ended_at < (SELECT clock_timestamp() - CAST(? AS bigint) * INTERVAL '0.000001' SECOND) AND w.executor_id IS NULL AND (SELECT r.id FROM millrace_slot_record r
  WHERE r.execution_id = w.id AND r.end_recorded = FALSE) IS NULL
 AND w.parent_id IS NULL ORDER BY w.ended_at, w.id LIMIT ?;

WITH RECURSIVE parents (id) AS (
  (SELECT w.parent_id FROM millrace_instance w
    WHERE w.parent_id IS NOT NULL AND w.ended_at IS NOT NULL
    ORDER BY w.parent_id, w.ended_at, w.id LIMIT 1)
  UNION ALL
  SELECT (SELECT w.parent_id FROM millrace_instance w
    WHERE w.parent_id > parents.id AND w.ended_at IS NOT NULL
    ORDER BY w.parent_id, w.ended_at, w.id LIMIT 1)
  FROM parents WHERE parents.id IS NOT NULL)
SELECT c.id FROM parents CROSS JOIN LATERAL (SELECT w.id FROM millrace_instance w WHERE w.ended_at < (SELECT clock_timestamp() - CAST(? AS bigint) * INTERVAL '0.000001' SECOND) AND w.executor_id IS NULL AND (SELECT r.id FROM millrace_slot_record r
  WHERE r.execution_id = w.id AND r.end_recorded = FALSE) IS NULL
 AND w.parent_id = parents.id ORDER BY w.ended_at, w.id LIMIT ?) c
WHERE parents.id IS NOT NULL AND (
  SELECT p.id FROM millrace_instance p WHERE p.id = parents.id AND (p.ended_at IS NULL OR p.status = 'failed')) IS NULL LIMIT ?;

SELECT id, ended_at FROM millrace_instance WHERE id = ANY(CAST(? AS bigint ARRAY));

SELECT instance_id AS id, ended_at FROM millrace_removal WHERE ended_at < (SELECT clock_timestamp() - CAST(? AS bigint) * INTERVAL '0.000001' SECOND) AND CASE WHEN kind = 'deleteArchived' THEN TRUE ELSE FALSE END = ? ORDER BY ended_at LIMIT 1;

