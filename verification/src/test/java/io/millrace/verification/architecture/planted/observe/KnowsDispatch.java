package io.millrace.verification.architecture.planted.observe;

import io.millrace.verification.architecture.planted.dispatch.KnowsTheRoot;

/** Knows its neighbour. */
final class KnowsDispatch {

  KnowsTheRoot work() {
    return new KnowsTheRoot();
  }
}
