package io.millrace.verification.architecture.planted.store;

import io.millrace.verification.architecture.planted.dispatch.Work;

/** A class on the second floor that knows the third. */
final class AlsoReachesUp {

  Work work() {
    return new Work();
  }
}
