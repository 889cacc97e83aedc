package io.millrace.server.plugin;

import io.millrace.HealthCheck;
import io.millrace.codec.Codec;
import io.millrace.continuous.ContinuousWorkflow;
import io.millrace.continuous.PollResult;
import io.millrace.continuous.Trigger;
import io.millrace.continuous.TriggerContext;
import io.millrace.definition.AttemptInterceptor;
import io.millrace.event.EngineEvent;
import io.millrace.event.EngineListener;
import io.millrace.event.EngineView;
import java.lang.reflect.Type;
import java.util.function.Supplier;

/**
 * The class loader of a jar. It wraps what the jar supplies, so that libraries that use the
 * thread's context class loader find the classes of the jar.
 */
record JarScope(ClassLoader classes) {

  /** A call that may throw. */
  @FunctionalInterface
  interface Call<T> {
    T run() throws Exception;
  }

  <T> T call(Call<T> call) throws Exception {
    return callIn(classes, call);
  }

  static <T> T callIn(ClassLoader loader, Call<T> call) throws Exception {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(loader);
    try {
      return call.run();
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  <T> T get(Supplier<T> call) {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(classes);
    try {
      return call.get();
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  Runnable hook(Runnable hook) {
    return () ->
        get(() -> {
          hook.run();
          return hook;
        });
  }

  HealthCheck check(HealthCheck check) {
    return () ->
        call(() -> {
          check.check();
          return check;
        });
  }

  AutoCloseable resource(AutoCloseable resource) {
    return () ->
        call(() -> {
          resource.close();
          return resource;
        });
  }

  /**
   * Wraps an interceptor. The rest of the chain keeps the class loader that it would have without
   * the interceptor.
   */
  AttemptInterceptor wrap(AttemptInterceptor interceptor) {
    return (ctx, chain) -> {
      ClassLoader before = Thread.currentThread().getContextClassLoader();
      return call(() -> interceptor.intercept(ctx, () -> callIn(before, chain::proceed)));
    };
  }

  EngineListener wrap(EngineListener listener) {
    return new EngineListener() {
      @Override
      public void onEvent(EngineEvent event) {
        hook(() -> listener.onEvent(event)).run();
      }

      @Override
      public void onStart(EngineView engine) {
        hook(() -> listener.onStart(engine)).run();
      }
    };
  }

  Codec wrap(Codec codec) {
    return new Codec() {
      @Override
      public String encode(Object value) {
        return get(() -> codec.encode(value));
      }

      @Override
      public Object decode(String json, Type type) {
        return get(() -> codec.decode(json, type));
      }
    };
  }

  /**
   * Wraps a workflow. Its handlers are not wrapped, because {@link Plugins#interceptor} does it for
   * all workflows of jars.
   */
  ContinuousWorkflow wrap(ContinuousWorkflow workflow) {
    return new ContinuousWorkflow(
        workflow.name(),
        new JarTrigger(workflow.trigger(), this),
        workflow.events(),
        workflow.restart(),
        workflow.continuation(),
        workflow.initiallyEnabled());
  }

  /** A trigger that waits with the class loader of its jar. */
  private record JarTrigger(Trigger trigger, JarScope jar) implements Trigger {

    @Override
    public String describe() {
      return jar.get(trigger::describe);
    }

    @Override
    public Source open(TriggerContext scope) throws Exception {
      Source source = jar.call(() -> trigger.open(scope));
      return new Source() {
        @Override
        public PollResult poll() throws Exception {
          return within(jar.call(source::poll));
        }

        @Override
        public void close() {
          jar.hook(source::close).run();
        }
      };
    }

    private PollResult within(PollResult answer) {
      return answer instanceof PollResult.Event event
          ? event.accepted(jar.hook(event.accepted()))
          : answer;
    }
  }
}
