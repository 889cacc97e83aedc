package io.millrace.verification.architecture.planted.rabbitmq;

import io.millrace.verification.architecture.planted.dispatch.KnowsTheRoot;

/** A transport uses the engine's inside. */
public final class KnowsEngineInternals {

  public Class<?> look() {
    return KnowsTheRoot.class;
  }
}
