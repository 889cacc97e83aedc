CREATE TABLE customer_order (number varchar(40));
CREATE TABLE reservation (number varchar(40));
