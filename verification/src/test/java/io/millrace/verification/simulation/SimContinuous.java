package io.millrace.verification.simulation;

import io.millrace.EngineBuilder;
import io.millrace.continuous.Continuation;
import io.millrace.continuous.ContinuousSettings;
import io.millrace.continuous.ContinuousWorkflow;
import io.millrace.continuous.Poll;
import io.millrace.continuous.Trigger;
import io.millrace.continuous.TriggerScope;
import io.millrace.definition.Next;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.instance.Deed;
import io.millrace.retry.RetryPolicy;
import io.millrace.store.AlwaysOn;
import io.millrace.store.AlwaysOnStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;

/**
 * Continuous workflows whose events come from outside while things go wrong, and whom people steer:
 * each event becomes one execution, whoever reads it.
 */
final class SimContinuous {

  static final String TYPE = "event";
  static final Duration MIN_AGE = Duration.ofSeconds(2);

  private static final Deed NEMESIS = Deed.by("nemesis");
  private static final Duration DEBUG = Duration.ofSeconds(4);
  private static final int DEEDS = 6;
  private static final ContinuousSettings SETTINGS =
      ContinuousSettings.defaults()
          .continuation(new Continuation(true, MIN_AGE, Duration.ofSeconds(1)));
  private static final RetryPolicy RETRY =
      RetryPolicy.exponential(Duration.ofMillis(500), Duration.ofSeconds(2)).maxAttempts(1000);

  /** Somebody looks into a workflow from then on. */
  record Debugged(String name, Instant from, Instant until) {}

  /** Where the events of a workflow come from, outside of all machines. */
  static final class Outside {
    final String name;
    final int events;

    /** True when an accepted event is taken away; else the position tells where one is. */
    final boolean queue;

    final Deque<Integer> waiting = new ArrayDeque<>();
    int come;

    Outside(String name, int events, boolean queue) {
      this.name = name;
      this.events = events;
      this.queue = queue;
    }
  }

  final List<Outside> outsides = new ArrayList<>();
  final List<Debugged> debugged = new ArrayList<>();
  private final World world;
  private final Kernel kernel;
  private final SimClock clock;

  SimContinuous(World world) {
    this.world = world;
    this.kernel = world.kernel;
    this.clock = new SimClock(kernel);
    Random random = kernel.random;
    int count = 1 + random.nextInt(3);
    for (int i = 0; i < count; i++) {
      outsides.add(new Outside("endless" + i, 3 + random.nextInt(10), random.nextBoolean()));
    }
  }

  EngineBuilder addTo(EngineBuilder builder) {
    WorkflowDefinition events =
        WorkflowDefinition.of(TYPE)
            .start("handle", context -> Next.done("handled"))
            .retry(RETRY)
            .build();
    for (Outside outside : outsides) {
      builder.continuous(ContinuousWorkflow.of(outside.name, trigger(outside)).runs(events));
    }
    return builder.continuous(SETTINGS);
  }

  /** Has events come, and people do things, as long as there are faults. */
  void begin(Duration time) {
    for (Outside outside : outsides) {
      for (int i = 0; i < outside.events; i++) {
        kernel.after(within(time), () -> outside.waiting.add(outside.come++));
      }
    }
    for (int i = kernel.random.nextInt(DEEDS); i > 0; i--) {
      kernel.after(within(time), this::deed);
    }
  }

  private Duration within(Duration time) {
    return Duration.ofNanos(kernel.between(Duration.ofMillis(10), time));
  }

  private void deed() {
    AlwaysOnStore store = world.database.alwaysOn();
    String name = outsides.get(kernel.random.nextInt(outsides.size())).name;
    if (store.find(name).isEmpty()) {
      return;
    }
    switch (kernel.random.nextInt(4)) {
      case 0 -> store.ask(name, AlwaysOn.Request.RESTART, null, NEMESIS);
      case 1 -> store.ask(name, AlwaysOn.Request.CONTINUE, null, NEMESIS);
      case 2 -> {
        Instant now = clock.instant();
        debugged.add(new Debugged(name, now, now.plus(DEBUG)));
        store.debug(name, DEBUG, NEMESIS);
      }
      default -> {
        store.desire(name, AlwaysOn.Desired.OFF, NEMESIS);
        kernel.after(within(DEBUG), () -> store.desire(name, AlwaysOn.Desired.ON, NEMESIS));
      }
    }
  }

  private Trigger trigger(Outside outside) {
    return new Trigger() {
      @Override
      public String describe() {
        return "events of " + outside.name;
      }

      @Override
      public Source open(TriggerScope scope) {
        trouble();
        int first = scope.position().map(Integer::parseInt).orElse(0);
        return outside.queue ? () -> take(outside) : new Reader(outside, first);
      }
    };
  }

  /** Reading takes time, and fails now and then. */
  private void trouble() {
    kernel.current().rest(Duration.ofMillis(kernel.random.nextInt(40)));
    if (kernel.random.nextInt(60) == 0) {
      throw new IllegalStateException("planned");
    }
  }

  private Poll rest() {
    return Poll.rest(Duration.ofMillis(100 + kernel.random.nextInt(900)));
  }

  private Poll take(Outside outside) {
    trouble();
    Integer event = outside.waiting.peek();
    return event == null
        ? rest()
        : new Poll.Event(event, "e" + event, null, () -> outside.waiting.remove(event));
  }

  /** One that goes on behind the position which its last event left. */
  private final class Reader implements Trigger.Source {
    private final Outside outside;
    private int next;

    Reader(Outside outside, int next) {
      this.outside = outside;
      this.next = next;
    }

    @Override
    public Poll poll() {
      trouble();
      int event = next;
      return event >= outside.come
          ? rest()
          : new Poll.Event(event, null, Integer.toString(event + 1), () -> next = event + 1);
    }
  }

  /** True when every event has been handled, and every workflow waits for the next one. */
  boolean done() {
    return outsides.stream().allMatch(this::isDone);
  }

  private boolean isDone(Outside outside) {
    return world
        .database
        .alwaysOn()
        .find(outside.name)
        .filter(row -> row.ownership().executorId() != null)
        .filter(row -> row.work().executionId() == null)
        .filter(row -> row.work().fires() >= outside.events)
        .isPresent();
  }
}
