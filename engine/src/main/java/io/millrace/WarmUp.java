package io.millrace;

import io.millrace.codec.Codec;
import io.millrace.dispatch.DefinitionRegistry;
import io.millrace.dispatch.InstanceExecutor;
import io.millrace.instance.InstanceQuery;
import io.millrace.instance.TimeLimits;
import io.millrace.instance.WorkflowInstance;
import io.millrace.lifecycle.EngineRuntime;
import io.millrace.lifecycle.Waiter;
import io.millrace.store.Store;
import io.millrace.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The warm-up before an executor claims work: exercises the database and the codec once for each of
 * the most used types, and then fills the application's own caches.
 */
final class WarmUp {

  private static final Logger LOG = LoggerFactory.getLogger(WarmUp.class);
  private static final Duration RECENT = Duration.ofDays(1);
  private static final int SAMPLE = 500;
  private static final int MAX_TYPES = 50;
  private static final int MAX_ACTIONS = 20;

  private final Store store;
  private final DefinitionRegistry definitions;
  private final Codec codec;
  private final EngineRuntime runtime;
  private final String group;

  /**
   * Configuration of a warm-up.
   *
   * @param limit how long it may take; zero for no warm-up
   * @param hooks the application's own
   */
  record Config(Duration limit, List<Runnable> hooks) {
    static final Config DEFAULT = new Config(Duration.ofSeconds(60), List.of());

    Config {
      hooks = List.copyOf(hooks);
    }

    Config within(Duration newLimit) {
      return new Config(newLimit, hooks);
    }

    Config and(Runnable hook) {
      List<Runnable> all = new ArrayList<>(hooks);
      all.add(hook);
      return new Config(limit, all);
    }
  }

  private enum HookProgress {
    RUNNING,
    DONE,
    FAILED,
    /** The warm-up no longer waits for the hooks. */
    LATE
  }

  WarmUp(InstanceExecutor.Config executorConfig) {
    this.store = executorConfig.store();
    this.definitions = executorConfig.definitions();
    this.codec = executorConfig.values().codec();
    this.runtime = executorConfig.runtime();
    this.group = executorConfig.settings().executorGroup();
  }

  /**
   * Warms up until all is done or the time is over.
   *
   * @param late called when the hooks have ended well after the time was over
   * @return false if something was left out
   */
  boolean run(Config config, Runnable late) {
    if (config.limit.isZero()) {
      return config.hooks.isEmpty();
    }
    long end = runtime.clock().nanoTime() + TimeLimits.nanos(config.limit);
    readRecent(end);
    return config.hooks.isEmpty() || runHooks(config.hooks, end, late);
  }

  /** Reads recent instances. If the database does not answer now, later calls ask again. */
  private void readRecent(long end) {
    try {
      codec.decode(codec.encode(Map.of("warm", List.of(1, "up"))), Map.class);
      int types = 0;
      for (WorkflowInstance one : newestOfMostUsed()) {
        if (left(end) <= 0) {
          break;
        }
        store.queries().input(one.id());
        store.queries().variables(one.id());
        store.queries().history(one.id(), 0, MAX_ACTIONS);
        types++;
      }
      LOG.debug("{} types were warmed up", types);
    } catch (StoreException e) {
      LOG.debug("The warm-up ends early, since the database does not answer", e);
    }
  }

  /** Returns recent instances of the most used types. Use is judged by the newest instances. */
  private List<WorkflowInstance> newestOfMostUsed() {
    InstanceQuery recent =
        InstanceQuery.all()
            .executorGroup(group)
            .createdBetween(store.queries().now().minus(RECENT), null)
            .limit(SAMPLE);
    Map<String, List<WorkflowInstance>> byType = new LinkedHashMap<>();
    for (WorkflowInstance one : store.queries().search(recent, null).items()) {
      if (definitions.latest(one.type()) != null) {
        byType.computeIfAbsent(one.type(), type -> new ArrayList<>()).add(one);
      }
    }
    return byType.values().stream()
        .sorted(Comparator.comparingInt(List<WorkflowInstance>::size).reversed())
        .limit(MAX_TYPES)
        .map(List::getFirst)
        .toList();
  }

  private long left(long end) {
    return end - runtime.clock().nanoTime();
  }

  private boolean runHooks(List<Runnable> hooks, long end, Runnable late) {
    AtomicReference<HookProgress> progress = new AtomicReference<>(HookProgress.RUNNING);
    Waiter waiter = runtime.runner().waiter();
    runtime
        .runner()
        .runOnPlatform(
            "millrace-warm-up",
            () -> {
              boolean done = runAll(hooks);
              if (progress.compareAndSet(
                  HookProgress.RUNNING, done ? HookProgress.DONE : HookProgress.FAILED)) {
                waiter.wake();
              } else if (done) {
                late.run();
              }
            });
    await(waiter, progress, end);
    if (progress.compareAndSet(HookProgress.RUNNING, HookProgress.LATE)) {
      LOG.warn("The warm-up is not done in time; the executor claims work all the same");
    }
    return progress.get() == HookProgress.DONE;
  }

  private void await(Waiter waiter, AtomicReference<HookProgress> progress, long end) {
    try {
      while (progress.get() == HookProgress.RUNNING && left(end) > 0) {
        waiter.await(Duration.ofNanos(left(end)));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static boolean runAll(List<Runnable> hooks) {
    boolean done = true;
    for (Runnable hook : hooks) {
      try {
        hook.run();
      } catch (Throwable e) {
        LOG.error("A hook of the warm-up failed; the executor counts as cold", e);
        done = false;
      }
    }
    return done;
  }
}
