package io.millrace.verification.architecture.planted.observe;

import io.millrace.verification.architecture.planted.dispatch.Work;

/** Knows its neighbour. */
final class KnowsDispatch {

  Work work() {
    return new Work();
  }
}
