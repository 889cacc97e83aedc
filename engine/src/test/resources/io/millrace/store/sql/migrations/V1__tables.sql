-- The first tables; with a comment.
CREATE TABLE test_item (
  id   bigint PRIMARY KEY,
  name varchar(10)
);
INSERT INTO test_item (id, name)
SELECT 1, 'a;b' WHERE NOT EXISTS (SELECT 1 FROM test_item);
