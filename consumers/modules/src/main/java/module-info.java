/** A shop as a module. The engine and the shop's rules are automatic modules. */
module com.example.modules {
  requires com.example.shop;
  requires com.zaxxer.hikari;
  requires java.sql;
}
