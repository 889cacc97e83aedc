package io.millrace.verification.architecture.planted.dispatch;

import io.millrace.verification.architecture.planted.PlantedRoot;

/** A violation: a class uses the root package above it. */
public final class KnowsTheRoot {

  PlantedRoot roof() {
    return new PlantedRoot();
  }
}
