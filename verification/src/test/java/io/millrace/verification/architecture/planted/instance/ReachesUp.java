package io.millrace.verification.architecture.planted.instance;

import io.millrace.verification.architecture.planted.dispatch.Work;

/** A value on the ground floor that knows the third. */
final class ReachesUp {

  Work work() {
    return new Work();
  }
}
