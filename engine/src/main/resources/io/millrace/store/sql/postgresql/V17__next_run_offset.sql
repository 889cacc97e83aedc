-- Millrace 16: the next run of a sequence keeps its local time when the rules of its zone change.

-- The offset from UTC, in seconds, that the zone had when the next run was computed.
ALTER TABLE millrace_schedule ADD COLUMN IF NOT EXISTS next_run_offset integer;
