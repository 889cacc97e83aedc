package io.millrace.verification.architecture.planted.store;

import io.millrace.verification.architecture.planted.dispatch.KnowsTheRoot;

/** A violation: a class of the second layer uses the third layer. */
final class AlsoReachesUp {

  KnowsTheRoot work() {
    return new KnowsTheRoot();
  }
}
