package io.millrace.demo;

import java.time.Duration;

/** The time limit of tests that wait for an event; long, because a slow machine is no fault. */
public final class Patience {

  public static final Duration LIMIT =
      Duration.ofSeconds(Integer.getInteger("tests.patience", 180));

  private Patience() {}
}
