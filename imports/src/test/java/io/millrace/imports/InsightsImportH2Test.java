package io.millrace.imports;

class InsightsImportH2Test extends InsightsImportContract {
  InsightsImportH2Test() {
    super(false);
  }
}
