package io.millrace.verification.architecture.planted.dispatch;

import io.millrace.verification.architecture.planted.PlantedRoot;

/** Knows the roof above it. */
public final class KnowsTheRoot {

  PlantedRoot roof() {
    return new PlantedRoot();
  }
}
