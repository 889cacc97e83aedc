/**
 * A shop as a module. The engine and the shop are automatic modules, which require nothing by
 * themselves; so the application requires what they need beside other automatic modules.
 */
module com.example.modules {
  requires com.example.shop;
  requires com.zaxxer.hikari;
  requires java.sql;
  requires jdk.httpserver;
  requires tools.jackson.databind;
}
