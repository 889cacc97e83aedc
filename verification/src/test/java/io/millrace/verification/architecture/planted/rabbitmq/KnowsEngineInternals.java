package io.millrace.verification.architecture.planted.rabbitmq;

import io.millrace.verification.architecture.planted.dispatch.KnowsTheRoot;

/** A violation: a transport uses internals of the engine. */
public final class KnowsEngineInternals {

  public Class<?> look() {
    return KnowsTheRoot.class;
  }
}
