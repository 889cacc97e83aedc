package io.millrace.report;

import java.time.Duration;

/** Time limit for what a test waits for; long, because a slow machine is not a failure. */
public final class Patience {

  public static final Duration LIMIT =
      Duration.ofSeconds(Integer.getInteger("tests.patience", 180));

  private Patience() {}
}
