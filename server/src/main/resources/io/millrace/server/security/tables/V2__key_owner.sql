-- Millrace server 2: the user that an API key belongs to; null for keys of before.

ALTER TABLE millrace_api_key ADD COLUMN owner varchar(200);
