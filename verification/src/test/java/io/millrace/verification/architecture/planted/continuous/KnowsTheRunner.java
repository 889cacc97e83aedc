package io.millrace.verification.architecture.planted.continuous;

import io.millrace.verification.architecture.planted.dispatch.KnowsTheRoot;

/** A violation: a package uses another one of its layer. */
final class KnowsTheRunner {

  KnowsTheRoot work() {
    return new KnowsTheRoot();
  }
}
