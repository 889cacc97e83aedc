package io.millrace.verification.architecture.planted.instance;

import io.millrace.verification.architecture.planted.dispatch.KnowsTheRoot;

/** A violation: a value of the lowest layer uses the third layer. */
final class ReachesUp {

  KnowsTheRoot work() {
    return new KnowsTheRoot();
  }
}
