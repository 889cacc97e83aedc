package io.millrace.server.migrate;

class InsightsImportH2Test extends InsightsImportContract {
  InsightsImportH2Test() {
    super(false);
  }
}
