package io.millrace.server;

import io.millrace.EngineBuilder;
import io.millrace.redis.ServedFlow;
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
public record ServerExtensions(
    Consumer<EngineBuilder> parts, List<ServedFlow> flows, @Nullable String notice) {
  static final ServerExtensions NONE = new ServerExtensions(builder -> {}, List.of(), null);
}
