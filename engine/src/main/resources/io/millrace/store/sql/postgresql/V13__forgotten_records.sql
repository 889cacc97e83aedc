-- Millrace 13: where the deleted records of a group stood, so that no base of a key comes again.

-- Null while nothing limits how many records the group keeps.
ALTER TABLE millrace_reduce_group ADD COLUMN IF NOT EXISTS deleted_seq bigint;
