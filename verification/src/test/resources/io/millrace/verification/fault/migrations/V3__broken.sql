-- The second statement fails until another table exists.
CREATE TABLE test_broken (id bigint);

UPDATE no_such_table SET id = 1;
