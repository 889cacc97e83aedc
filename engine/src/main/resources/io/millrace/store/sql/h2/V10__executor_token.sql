-- Millrace 10: an executor recognizes its own row, although a restored sequence reuses its id.

ALTER TABLE millrace_executor
  ADD COLUMN IF NOT EXISTS incarnation varchar(36) DEFAULT CAST(RANDOM_UUID() AS varchar(36));
