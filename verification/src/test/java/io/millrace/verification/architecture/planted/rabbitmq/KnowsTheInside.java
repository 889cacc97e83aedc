package io.millrace.verification.architecture.planted.rabbitmq;

import io.millrace.verification.architecture.planted.dispatch.Work;

/** A transport uses the engine's inside. */
public final class KnowsTheInside {

  public Class<?> look() {
    return Work.class;
  }
}
