package io.millrace.dispatch;

import io.millrace.codec.Codec;
import io.millrace.definition.StepInterceptor;
import io.millrace.lifecycle.EngineClock;
import io.millrace.lifecycle.EngineRuntime;
import io.millrace.lifecycle.EngineSettings;
import io.millrace.store.Store;
import java.util.List;

/** What all parts of one engine share. */
record Node(
    Store store,
    EngineRuntime runtime,
    EngineSettings settings,
    Definitions definitions,
    Values values,
    Events events,
    List<StepInterceptor> interceptors) {

  Codec codec() {
    return values.codec();
  }

  EngineClock clock() {
    return runtime.clock();
  }
}
