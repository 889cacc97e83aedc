/**
 * A shop as a module. The engine and the shop are automatic modules, which require nothing by
 * themselves; so the application requires the Jackson that writes its values.
 */
module com.example.modules {
  requires com.example.shop;
  requires com.zaxxer.hikari;
  requires java.sql;
  requires tools.jackson.databind;
}
