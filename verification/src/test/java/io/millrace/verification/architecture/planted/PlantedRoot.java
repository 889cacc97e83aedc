package io.millrace.verification.architecture.planted;

import io.millrace.verification.architecture.planted.dispatch.KnowsTheRoot;

/**
 * The roof, which {@link KnowsTheRoot} knows although it is below: a circle through the root
 * package.
 */
public final class PlantedRoot {

  KnowsTheRoot work() {
    return new KnowsTheRoot();
  }
}
