package io.millrace.springboot;

import io.millrace.EngineBuilder;

/**
 * A change of the engine before it is opened, for what no property and no other bean says. All
 * beans of this type are applied in their order, after the properties.
 */
@FunctionalInterface
public interface EngineCustomizer {

  void customize(EngineBuilder builder);
}
