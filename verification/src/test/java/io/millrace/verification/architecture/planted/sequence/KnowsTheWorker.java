package io.millrace.verification.architecture.planted.sequence;

import io.millrace.verification.architecture.planted.dispatch.KnowsTheRoot;

/** Knows its neighbour. */
final class KnowsTheWorker {

  KnowsTheRoot work() {
    return new KnowsTheRoot();
  }
}
