package io.millrace;

import io.millrace.lifecycle.EngineSettings;
import io.millrace.store.Store;
import java.util.OptionalInt;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A comparison of the number of handlers with the size of the connection pool. */
final class PoolSizeCheck {

  private static final Logger LOG = LoggerFactory.getLogger(PoolSizeCheck.class);

  /** Connections of the engine: heartbeat, hints, dispatcher and committer. */
  private static final int ENGINE_CONNECTIONS = 4;

  /** Number of handlers that share a connection: most use the pool for part of their time only. */
  private static final int HANDLERS_PER_CONNECTION = 8;

  private PoolSizeCheck() {}

  /** Logs a warning if the pool is known to be far too small for the handlers of this engine. */
  static void warn(Store store, EngineSettings settings) {
    OptionalInt size = store.poolSize();
    int handlers = settings.dispatching().concurrency();
    if (size.isEmpty() || !settings.runsInstances()) {
      return;
    }
    int pool = size.getAsInt();
    int supported = Math.max(1, pool - ENGINE_CONNECTIONS) * HANDLERS_PER_CONNECTION;
    if (handlers > supported) {
      LOG.warn(
          "The connection pool is small for the number of handlers: {} handlers at a time share {}"
              + " connections, of which the engine needs {}. Handlers that use this pool wait for"
              + " each other and delay the engine. Enlarge the pool to {} connections plus one for"
              + " each handler that uses it at the same time, or set the concurrency to {} or less",
          handlers,
          pool,
          ENGINE_CONNECTIONS,
          ENGINE_CONNECTIONS,
          supported);
    }
  }
}
