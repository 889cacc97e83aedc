package io.millrace.verification.support;

import io.millrace.lifecycle.EngineSettings;
import java.time.Duration;

/**
 * Settings with a long lease, so that a machine that stalls for some time does not cost an engine
 * its instances.
 */
public final class LongLease {

  private static final Duration TIME = Duration.ofMinutes(3);

  private LongLease() {}

  /** Returns the same settings with a lease that outlasts a pause of the machine. */
  public static EngineSettings of(EngineSettings settings) {
    return settings.lease(TIME, settings.leasing().renewEvery());
  }
}
