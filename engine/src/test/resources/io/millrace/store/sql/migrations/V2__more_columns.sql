ALTER TABLE test_item ADD COLUMN note varchar(20);
UPDATE test_item SET note = 'für; alle';
