package io.millrace.verification.architecture.planted.sequence;

import io.millrace.verification.architecture.planted.dispatch.Work;

/** Knows its neighbour. */
final class KnowsTheWorker {

  Work work() {
    return new Work();
  }
}
