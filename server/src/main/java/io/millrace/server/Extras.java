package io.millrace.server;

import io.millrace.EngineBuilder;
import io.millrace.redis.FlowWork;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a server has beside its configuration.
 *
 * @param parts adds the workflows and tasks of this program, beside those of jars
 * @param flows on Redis, where there is one
 * @param notice shown above every page of the UI; null for none
 */
record Extras(Consumer<EngineBuilder> parts, List<FlowWork> flows, @Nullable String notice) {
  static final Extras NONE = new Extras(builder -> {}, List.of(), null);
}
