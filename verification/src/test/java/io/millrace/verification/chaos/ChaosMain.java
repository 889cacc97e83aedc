package io.millrace.verification.chaos;

import io.millrace.verification.chaos.check.ChaosReport;
import java.util.List;

/** The command {@code script/chaos}. Its exit code is 0 only if nothing was violated. */
public final class ChaosMain {

  private ChaosMain() {}

  public static void main(String[] args) throws Exception {
    ChaosOptions options;
    try {
      options = ChaosOptions.parse(List.of(args));
    } catch (IllegalArgumentException e) {
      System.err.println(e.getMessage());
      System.exit(2);
      return;
    }
    ChaosReport chaosReport = ChaosRun.run(options);
    System.exit(chaosReport.violations() == 0 ? 0 : 1);
  }
}
