-- Millrace 15: a task sequence or continuous workflow with many rows is deleted in parts.

-- Its own row has been deleted; rows with its name have yet to follow.
CREATE TABLE IF NOT EXISTS millrace_named_removal (
  kind varchar(20) NOT NULL,
  name varchar(200) NOT NULL,
  CONSTRAINT millrace_named_removal_key PRIMARY KEY (kind, name)
);
