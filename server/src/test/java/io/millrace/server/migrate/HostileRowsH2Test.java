package io.millrace.server.migrate;

class HostileRowsH2Test extends HostileRowsContract {
  HostileRowsH2Test() {
    super(false);
  }
}
