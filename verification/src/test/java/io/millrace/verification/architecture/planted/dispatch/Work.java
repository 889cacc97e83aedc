package io.millrace.verification.architecture.planted.dispatch;

import io.millrace.verification.architecture.planted.Roof;

/** Knows the roof above it. */
public final class Work {

  Roof roof() {
    return new Roof();
  }
}
