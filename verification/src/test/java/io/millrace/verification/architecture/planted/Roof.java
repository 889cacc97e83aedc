package io.millrace.verification.architecture.planted;

import io.millrace.verification.architecture.planted.dispatch.Work;

/** The roof, which {@link Work} knows although it is below: a circle through the root package. */
public final class Roof {

  Work work() {
    return new Work();
  }
}
