package io.millrace.verification.architecture.planted.continuous;

import io.millrace.verification.architecture.planted.dispatch.Work;

/** Knows its neighbour. */
final class KnowsTheRunner {

  Work work() {
    return new Work();
  }
}
