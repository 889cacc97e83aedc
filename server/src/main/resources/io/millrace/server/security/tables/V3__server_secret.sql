-- Millrace server 3: random keys from which the server derives tokens and keyed hashes. No
-- operation of the HTTP interface reads them.

CREATE TABLE millrace_server_secret (
  name   varchar(50) PRIMARY KEY,
  secret varchar(100) NOT NULL
);
