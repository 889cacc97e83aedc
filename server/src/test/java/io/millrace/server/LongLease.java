package io.millrace.server;

import io.millrace.lifecycle.EngineSettings;
import java.time.Duration;

/**
 * A lease that is long enough for a machine that stalls for some time, so that an engine does not
 * lose its instances.
 */
public final class LongLease {

  /** The lease in seconds. */
  public static final int TIME = 180;

  private LongLease() {}

  /** Returns the same settings with a lease that outlasts a stall of the machine. */
  public static EngineSettings of(EngineSettings settings) {
    return settings.lease(Duration.ofSeconds(TIME), settings.leasing().renewEvery());
  }
}
