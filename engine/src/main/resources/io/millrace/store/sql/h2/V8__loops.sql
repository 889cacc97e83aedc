-- Millrace 8: executors report the failures of their background loops.

ALTER TABLE millrace_executor ADD COLUMN IF NOT EXISTS loop_failures varchar(2000);
