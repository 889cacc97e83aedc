-- Millrace server 4: links that log a user in once. Of the token in a link there is the SHA-256 in
-- hexadecimal digits. A used link stays until it expires, so that a second use is told why it fails.

CREATE TABLE millrace_login_link (
  hash      varchar(64) PRIMARY KEY,
  user_name varchar(100) NOT NULL,
  expires   timestamp(6) with time zone NOT NULL,
  used      timestamp(6) with time zone
);
CREATE INDEX millrace_login_link_expires ON millrace_login_link (expires);
