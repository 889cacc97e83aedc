package io.millrace.imports;

class HostileRowsH2Test extends HostileRowsContract {
  HostileRowsH2Test() {
    super(false);
  }
}
