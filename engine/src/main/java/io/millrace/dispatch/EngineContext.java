package io.millrace.dispatch;

import io.millrace.codec.Codec;
import io.millrace.definition.AttemptInterceptor;
import io.millrace.lifecycle.EngineClock;
import io.millrace.lifecycle.EngineRuntime;
import io.millrace.lifecycle.EngineSettings;
import io.millrace.store.LoadLimits;
import io.millrace.store.Store;
import java.util.List;

/**
 * Services that all parts of an engine share. The classes of this package have it as {@code
 * engine}.
 */
record EngineContext(
    Store store,
    EngineRuntime runtime,
    EngineSettings settings,
    DefinitionRegistry definitions,
    ValueSerializer values,
    EngineEventPublisher events,
    List<AttemptInterceptor> interceptors) {

  Codec codec() {
    return values.codec();
  }

  EngineClock clock() {
    return runtime.clock();
  }

  /** Returns the maximum number of bytes to load with one claim. */
  long maxClaimBytes() {
    return LoadLimits.maxBytesOfHeap(runtime.process().maxHeap());
  }
}
