package io.millrace.verification.architecture.planted.instance;

import io.millrace.verification.architecture.planted.dispatch.KnowsTheRoot;

/** A value on the ground floor that knows the third. */
final class ReachesUp {

  KnowsTheRoot work() {
    return new KnowsTheRoot();
  }
}
