-- Millrace 12: an ended instance is archived or deleted in parts when it has many rows.

-- The instance's own row has been archived or deleted; rows that belong to it have yet to follow.
CREATE TABLE IF NOT EXISTS millrace_removal (
  workflow_id bigint PRIMARY KEY,
  kind        varchar(20) NOT NULL,
  ended       timestamp with time zone NOT NULL
);
