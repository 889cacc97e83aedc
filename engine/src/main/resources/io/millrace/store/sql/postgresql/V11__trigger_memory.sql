-- Millrace 11: what a trigger remembers item by item.

CREATE TABLE IF NOT EXISTS millrace_trigger_memory (
  name varchar(200) COLLATE "C" NOT NULL,
  item varchar(200) COLLATE "C" NOT NULL,
  CONSTRAINT millrace_trigger_memory_key PRIMARY KEY (name, item)
);
