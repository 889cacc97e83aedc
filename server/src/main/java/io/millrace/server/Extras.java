package io.millrace.server;

import io.millrace.EngineBuilder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a server has beside its configuration.
 *
 * @param parts adds the workflows and tasks of this program, beside those of jars
 * @param notice shown above every page of the UI; null for none
 */
record Extras(Consumer<EngineBuilder> parts, @Nullable String notice) {
  static final Extras NONE = new Extras(builder -> {}, null);
}
