-- Millrace 16: the old records of a group are found without the others. Each record is in one of the indexes.

CREATE INDEX IF NOT EXISTS millrace_reduce_record_known
  ON millrace_reduce_record (group_id, generation, committed) WHERE value_hash IS NOT NULL;
CREATE INDEX IF NOT EXISTS millrace_reduce_record_forgotten
  ON millrace_reduce_record (group_id, generation, committed) WHERE value_hash IS NULL;
