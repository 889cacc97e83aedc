-- Millrace 6: executors are on their way into work, or out of it, and belong to nodes.

-- node_name: the same for an executor and its successor. began: the process did. drain_grace and
-- setup: in microseconds. heap_percent: after the last collection.
ALTER TABLE millrace_executor
  ADD COLUMN IF NOT EXISTS node_name varchar(255) NOT NULL DEFAULT '',
  ADD COLUMN IF NOT EXISTS began timestamptz,
  ADD COLUMN IF NOT EXISTS state varchar(20) NOT NULL DEFAULT 'ACTIVE',
  ADD COLUMN IF NOT EXISTS drain_grace bigint NOT NULL DEFAULT 300000000,
  ADD COLUMN IF NOT EXISTS drain_deadline timestamptz,
  ADD COLUMN IF NOT EXISTS drain_reason varchar(20),
  ADD COLUMN IF NOT EXISTS ready timestamptz,
  ADD COLUMN IF NOT EXISTS warm boolean NOT NULL DEFAULT FALSE,
  ADD COLUMN IF NOT EXISTS setup bigint,
  ADD COLUMN IF NOT EXISTS heap_percent integer;

UPDATE millrace_executor SET node_name = host,
  state = CASE WHEN stopped IS NOT NULL THEN 'DRAINED'
               WHEN drain_requested IS NOT NULL THEN 'DRAINING' ELSE 'ACTIVE' END,
  drain_reason = CASE WHEN drain_requested IS NOT NULL THEN 'DRAIN' END,
  drain_deadline = drain_requested + INTERVAL '5 minutes';
