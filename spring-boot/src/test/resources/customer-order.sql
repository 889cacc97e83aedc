CREATE TABLE customer_order (number varchar(40) PRIMARY KEY, charged integer);
