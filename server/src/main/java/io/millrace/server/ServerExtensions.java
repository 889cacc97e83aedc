package io.millrace.server;

import io.millrace.EngineBuilder;
import io.millrace.redis.ServedFlow;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a server that are not in its configuration.
 *
 * @param parts adds the workflows and tasks of this program to those of jars
 * @param flows Redis flows, which run only where Redis is configured
 * @param notice shown above every page of the UI; null for none
 */
public record ServerExtensions(
    Consumer<EngineBuilder> parts, List<ServedFlow> flows, @Nullable String notice) {
  static final ServerExtensions NONE = new ServerExtensions(builder -> {}, List.of(), null);
}
