CREATE TABLE shipment (number varchar(40));
