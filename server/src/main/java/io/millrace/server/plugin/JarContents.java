package io.millrace.server.plugin;

import io.millrace.HealthCheck;
import io.millrace.codec.Codec;
import io.millrace.continuous.ContinuousWorkflow;
import io.millrace.definition.AttemptInterceptor;
import io.millrace.event.EngineListener;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The contents of a jar other than its workflows and flows.
 *
 * @param codec null unless the jar supplies the engine's codec
 * @param checks health checks by name
 * @param warmUps hooks that run before an executor claims work
 */
record JarContents(
    List<ContinuousWorkflow> continuous,
    List<AttemptInterceptor> interceptors,
    List<EngineListener> listeners,
    @Nullable Codec codec,
    Map<String, HealthCheck> checks,
    List<Runnable> warmUps) {

  static final JarContents NONE =
      new JarContents(List.of(), List.of(), List.of(), null, Map.of(), List.of());

  JarContents {
    continuous = List.copyOf(continuous);
    interceptors = List.copyOf(interceptors);
    listeners = List.copyOf(listeners);
    checks = Map.copyOf(checks);
    warmUps = List.copyOf(warmUps);
  }
}
