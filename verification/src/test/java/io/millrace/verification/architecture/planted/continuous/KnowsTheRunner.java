package io.millrace.verification.architecture.planted.continuous;

import io.millrace.verification.architecture.planted.dispatch.KnowsTheRoot;

/** Knows its neighbour. */
final class KnowsTheRunner {

  KnowsTheRoot work() {
    return new KnowsTheRoot();
  }
}
