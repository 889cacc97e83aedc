package io.millrace.verification.architecture.planted.bare;

import io.millrace.verification.architecture.planted.rabbitmq.KnowsEngineInternals;

/** A violation: the engine uses a transport. */
public final class KnowsTransport {

  public Class<?> look() {
    return KnowsEngineInternals.class;
  }
}
