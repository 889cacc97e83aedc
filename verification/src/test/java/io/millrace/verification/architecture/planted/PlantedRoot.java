package io.millrace.verification.architecture.planted;

import io.millrace.verification.architecture.planted.dispatch.KnowsTheRoot;

/**
 * A class in the root package. {@link KnowsTheRoot} uses it from a package below, which makes a
 * cycle through the root package.
 */
public final class PlantedRoot {

  KnowsTheRoot work() {
    return new KnowsTheRoot();
  }
}
