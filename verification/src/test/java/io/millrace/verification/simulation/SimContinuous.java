package io.millrace.verification.simulation;

import io.millrace.EngineBuilder;
import io.millrace.continuous.ContinuationPolicy;
import io.millrace.continuous.ContinuousSettings;
import io.millrace.continuous.ContinuousWorkflow;
import io.millrace.continuous.PollResult;
import io.millrace.continuous.Trigger;
import io.millrace.continuous.TriggerContext;
import io.millrace.definition.Next;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.instance.OperatorAction;
import io.millrace.retry.RetryPolicy;
import io.millrace.store.ContinuousStore;
import io.millrace.store.StoredContinuousWorkflow;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;

/**
 * Continuous workflows whose events arrive during faults, while operators act on them: each event
 * becomes one execution, whichever node reads it.
 */
final class SimContinuous {

  static final String TYPE = "event";
  static final Duration MIN_AGE = Duration.ofSeconds(2);

  private static final OperatorAction NEMESIS = OperatorAction.by("nemesis");
  private static final Duration DEBUG = Duration.ofSeconds(4);
  private static final int ACTIONS = 6;
  private static final ContinuousSettings SETTINGS =
      ContinuousSettings.defaults()
          .continuation(new ContinuationPolicy(true, MIN_AGE, Duration.ofSeconds(1)));
  private static final RetryPolicy RETRY =
      RetryPolicy.exponential(Duration.ofMillis(500), Duration.ofSeconds(2)).maxAttempts(1000);

  /** A time during which an operator debugs a workflow. */
  record DebugSession(String name, Instant from, Instant until) {}

  /** The source of a workflow's events, outside of all machines. */
  static final class EventSource {
    final String name;
    final int events;

    /** True if an accepted event is removed; otherwise the position refers to the next event. */
    final boolean queue;

    final Deque<Integer> waiting = new ArrayDeque<>();
    int come;

    EventSource(String name, int events, boolean queue) {
      this.name = name;
      this.events = events;
      this.queue = queue;
    }
  }

  final List<EventSource> eventSources = new ArrayList<>();
  final List<DebugSession> debugged = new ArrayList<>();
  private final SimWorld simWorld;
  private final SimulationKernel simulationKernel;
  private final SimClock clock;

  SimContinuous(SimWorld simWorld) {
    this.simWorld = simWorld;
    this.simulationKernel = simWorld.kernel;
    this.clock = new SimClock(simulationKernel);
    Random random = simulationKernel.random;
    int count = 1 + random.nextInt(3);
    for (int i = 0; i < count; i++) {
      eventSources.add(
          new EventSource("endless" + i, 3 + random.nextInt(10), random.nextBoolean()));
    }
  }

  EngineBuilder addTo(EngineBuilder builder) {
    WorkflowDefinition events =
        WorkflowDefinition.of(TYPE)
            .start("handle", context -> Next.done("handled"))
            .retry(RETRY)
            .build();
    for (EventSource eventSource : eventSources) {
      builder.continuous(
          ContinuousWorkflow.of(eventSource.name, trigger(eventSource)).runs(events));
    }
    return builder.continuous(SETTINGS);
  }

  /** Schedules the events and the actions of operators, for as long as there are faults. */
  void begin(Duration time) {
    for (EventSource eventSource : eventSources) {
      for (int i = 0; i < eventSource.events; i++) {
        simulationKernel.after(within(time), () -> eventSource.waiting.add(eventSource.come++));
      }
    }
    for (int i = simulationKernel.random.nextInt(ACTIONS); i > 0; i--) {
      simulationKernel.after(within(time), this::action);
    }
  }

  private Duration within(Duration time) {
    return Duration.ofNanos(simulationKernel.between(Duration.ofMillis(10), time));
  }

  private void action() {
    ContinuousStore store = simWorld.database.role(ContinuousStore.class);
    String name = eventSources.get(simulationKernel.random.nextInt(eventSources.size())).name;
    if (store.find(name).isEmpty()) {
      return;
    }
    switch (simulationKernel.random.nextInt(4)) {
      case 0 -> store.request(name, StoredContinuousWorkflow.OwnerRequest.RESTART, null, NEMESIS);
      case 1 -> store.request(name, StoredContinuousWorkflow.OwnerRequest.CONTINUE, null, NEMESIS);
      case 2 -> {
        Instant now = clock.instant();
        debugged.add(new DebugSession(name, now, now.plus(DEBUG)));
        store.debug(name, DEBUG, NEMESIS);
      }
      default -> {
        store.setEnabled(name, false, NEMESIS);
        simulationKernel.after(within(DEBUG), () -> store.setEnabled(name, true, NEMESIS));
      }
    }
  }

  private Trigger trigger(EventSource eventSource) {
    return new Trigger() {
      @Override
      public String describe() {
        return "events of " + eventSource.name;
      }

      @Override
      public Source open(TriggerContext scope) {
        trouble();
        int first = scope.position().map(Integer::parseInt).orElse(0);
        return eventSource.queue ? () -> take(eventSource) : new Reader(eventSource, first);
      }
    };
  }

  /** Takes time, as reading does, and sometimes fails. */
  private void trouble() {
    simulationKernel.current().rest(Duration.ofMillis(simulationKernel.random.nextInt(40)));
    if (simulationKernel.random.nextInt(60) == 0) {
      throw new IllegalStateException("planned");
    }
  }

  private PollResult rest() {
    return PollResult.waitFor(Duration.ofMillis(100 + simulationKernel.random.nextInt(900)));
  }

  private PollResult take(EventSource eventSource) {
    trouble();
    Integer event = eventSource.waiting.peek();
    return event == null
        ? rest()
        : new PollResult.Event(event, "e" + event, null, () -> eventSource.waiting.remove(event));
  }

  /** A source that continues after the position which its last event stored. */
  private final class Reader implements Trigger.Source {
    private final EventSource eventSource;
    private int next;

    Reader(EventSource eventSource, int next) {
      this.eventSource = eventSource;
      this.next = next;
    }

    @Override
    public PollResult poll() {
      trouble();
      int event = next;
      return event >= eventSource.come
          ? rest()
          : new PollResult.Event(event, null, Integer.toString(event + 1), () -> next = event + 1);
    }
  }

  /** True if every event has been handled, and every workflow waits for the next one. */
  boolean done() {
    return eventSources.stream().allMatch(this::isDone);
  }

  private boolean isDone(EventSource eventSource) {
    return simWorld
        .database
        .role(ContinuousStore.class)
        .find(eventSource.name)
        .filter(row -> row.ownership().executorId() != null)
        .filter(row -> row.activity().executionId() == null)
        .filter(row -> row.activity().fires() >= eventSource.events)
        .isPresent();
  }
}
