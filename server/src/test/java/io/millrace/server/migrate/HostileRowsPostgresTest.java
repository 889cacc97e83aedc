package io.millrace.server.migrate;

class HostileRowsPostgresTest extends HostileRowsContract {
  HostileRowsPostgresTest() {
    super(true);
  }
}
