package io.millrace.verification.architecture.planted.store;

import io.millrace.verification.architecture.planted.dispatch.KnowsTheRoot;

/** A class on the second floor that knows the third. */
final class AlsoReachesUp {

  KnowsTheRoot work() {
    return new KnowsTheRoot();
  }
}
