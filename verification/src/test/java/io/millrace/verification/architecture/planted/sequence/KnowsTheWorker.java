package io.millrace.verification.architecture.planted.sequence;

import io.millrace.verification.architecture.planted.dispatch.KnowsTheRoot;

/** A violation: a package uses another one of its layer. */
public final class KnowsTheWorker {

  KnowsTheRoot work() {
    return new KnowsTheRoot();
  }
}
