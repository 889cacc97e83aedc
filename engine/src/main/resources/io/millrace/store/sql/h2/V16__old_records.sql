-- Millrace 16: the old records of a group are found without the others.

CREATE INDEX IF NOT EXISTS millrace_reduce_record_committed
  ON millrace_reduce_record (group_id, generation, committed);
