package io.millrace.verification.architecture.planted.observe;

import io.millrace.verification.architecture.planted.dispatch.KnowsTheRoot;

/** A violation: a package uses another one of its layer. */
final class KnowsDispatch {

  KnowsTheRoot work() {
    return new KnowsTheRoot();
  }
}
