package io.millrace.testing;

import io.millrace.Engine;
import io.millrace.EngineBuilder;
import io.millrace.WorkflowClient;
import io.millrace.codec.SecretKeys;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.event.EngineEvent;
import io.millrace.lifecycle.EngineRuntime;
import io.millrace.lifecycle.EngineSettings;
import io.millrace.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * An engine under the test's control: it is the real engine, and works only inside the calls of
 * this class, on the calling thread, on a clock that the test sets. Nothing sleeps and nothing runs
 * concurrently, so a test of three days takes milliseconds and runs the same each time. Secrets are
 * stored under a fixed key that is not secret. Not thread-safe.
 */
public final class ManualEngine implements AutoCloseable {

  /** Initial time of the clock. */
  public static final Instant START = Instant.parse("2026-01-05T08:00:00Z");

  private static final int MAX_ATTEMPTS = 1_000_000;

  private final List<WorkflowDefinition> definitions;
  private final EngineSettings settings;
  private final UnaryOperator<EngineBuilder> more;
  private final SettableClock clock = SettableClock.at(START);
  private final Store store;
  private ManualRunner runner;
  private Engine engine;
  private int attempts;

  private ManualEngine(
      List<WorkflowDefinition> definitions,
      EngineSettings settings,
      Function<SettableClock, Store> store,
      UnaryOperator<EngineBuilder> more) {
    this.definitions = definitions;
    this.settings = settings;
    this.more = more;
    this.store = store.apply(clock);
    this.runner = new ManualRunner(clock);
    this.engine = start();
  }

  /** Creates an engine in memory that runs these definitions. */
  public static ManualEngine with(WorkflowDefinition... definitions) {
    return with(defaultSettings(), MemoryStore::new, definitions);
  }

  /**
   * Creates an engine with other settings or on another store.
   *
   * @param store creates the store on the engine's clock; give the clock to {@code
   *     SqlStore.Options} too
   */
  public static ManualEngine with(
      EngineSettings settings,
      Function<SettableClock, Store> store,
      WorkflowDefinition... definitions) {
    return new ManualEngine(List.of(definitions), settings, store, builder -> builder);
  }

  /**
   * Creates an engine with further parts, for example with task sequences.
   *
   * @param more adds to the builder; called again for each executor
   */
  public static ManualEngine with(
      EngineSettings settings,
      Function<SettableClock, Store> store,
      UnaryOperator<EngineBuilder> more) {
    return new ManualEngine(List.of(), settings, store, more);
  }

  /** Returns the engine's defaults with longer lease times, so that many days pass quickly. */
  public static EngineSettings defaultSettings() {
    return EngineSettings.defaults()
        .lease(Duration.ofMinutes(5), Duration.ofMinutes(1))
        .maxSleep(Duration.ofMinutes(1));
  }

  private Engine start() {
    EngineBuilder builder =
        Engine.builder()
            .store(store)
            .workflows(definitions)
            .secretKey(SecretKeys.of("manual", new byte[SecretKeys.LENGTH]))
            .settings(settings)
            .warmUp(Duration.ZERO)
            .runtime(new EngineRuntime(clock, runner, new Random(1)))
            .listener(this::count);
    return more.apply(builder).start();
  }

  private void count(EngineEvent event) {
    if (event instanceof EngineEvent.TransitionSaved) {
      attempts++;
    }
  }

  /** Returns the client of the executor that is alive now. */
  public WorkflowClient client() {
    return engine.client();
  }

  /** Returns the clock of engine and store. */
  public SettableClock clock() {
    return clock;
  }

  /** Claims due instances once and runs them, chains included. Returns the number of attempts. */
  public int runDue() {
    int before = attempts;
    engine.poll();
    runner.settle();
    return attempts - before;
  }

  /** Runs until nothing more is due now. Returns the number of attempts. */
  public int runUntilIdle() {
    int before = attempts;
    while (runDue() > 0) {
      if (attempts - before > MAX_ATTEMPTS) {
        throw new IllegalStateException(
            "More than "
                + MAX_ATTEMPTS
                + " attempts ran without time passing; a workflow moves in a circle without delay.");
      }
    }
    return attempts - before;
  }

  /**
   * Lets time pass and runs everything at its time: timers, retries, heartbeats. Returns the number
   * of attempts.
   */
  public int advance(Duration time) {
    int before = attempts;
    long end = clock.nanoTime() + time.toNanos();
    runUntilIdle();
    for (Long next = runner.nextNanos(); next != null && next <= end; next = runner.nextNanos()) {
      clock.advance(Duration.ofNanos(Math.max(0, next - clock.nanoTime())));
      runner.settle();
    }
    clock.advance(Duration.ofNanos(Math.max(0, end - clock.nanoTime())));
    runUntilIdle();
    return attempts - before;
  }

  /**
   * Kills the executor as a crash would, with all instances it holds, and starts another one. The
   * instances of the dead one are recovered once its lease has expired: advance by {@link
   * #leaseTime} for that.
   */
  public void killExecutor() {
    runner.halt();
    runner = new ManualRunner(clock);
    engine = start();
  }

  /** Returns how long the leases of a dead executor go on, plus the time in which others notice. */
  public Duration leaseTime() {
    return settings.leasing().ttl().plus(settings.leasing().renewEvery());
  }

  /** Returns the engine. */
  public Engine engine() {
    return engine;
  }

  @Override
  public void close() {
    engine.close();
  }
}
