package io.millrace.imports;

class HostileRowsPostgresTest extends HostileRowsContract {
  HostileRowsPostgresTest() {
    super(true);
  }
}
