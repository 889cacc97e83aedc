package io.millrace.verification.support;

import io.millrace.lifecycle.EngineSettings;
import java.time.Duration;

/** A machine that stands still for some time must not cost an engine what it holds. */
public final class LongLease {

  private static final Duration TIME = Duration.ofMinutes(3);

  private LongLease() {}

  /** The same settings with a lease that outlasts a pause of the machine. */
  public static EngineSettings of(EngineSettings settings) {
    return settings.lease(TIME, settings.leasing().renewEvery());
  }
}
