package io.millrace.verification.simulation;

import io.millrace.Engine;
import io.millrace.EngineBuilder;
import io.millrace.instance.HistoryEntry;
import io.millrace.instance.InstanceQuery;
import io.millrace.lifecycle.EngineRuntime;
import io.millrace.retry.RetryPolicy;
import io.millrace.schedule.MisfirePolicy;
import io.millrace.schedule.OverlapPolicy;
import io.millrace.schedule.Schedule;
import io.millrace.sequence.SequenceSettings;
import io.millrace.sequence.Task;
import io.millrace.sequence.TaskSequence;
import io.millrace.store.SequenceStore;
import io.millrace.store.SequenceStore.SlotOutcome;
import io.millrace.store.SequenceStore.StoredSlotRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/**
 * Task sequences of three tasks with channels, fired by their schedules during faults: each slot
 * becomes one execution, and each of its tasks is accepted once.
 */
final class SimSequences {

  static final String TYPE = "report";

  private static final List<String> TASKS = List.of("KPI", "PDF", "EMAIL");
  private static final int MAX_FIRES = 1_000;
  private static final RetryPolicy RETRY =
      RetryPolicy.exponential(Duration.ofMillis(500), Duration.ofSeconds(2)).maxAttempts(1000);

  final SimBroker broker;
  private final SimWorld simWorld;
  private final Map<String, Integer> slots = new TreeMap<>();

  SimSequences(SimWorld simWorld) {
    this.simWorld = simWorld;
    this.broker = new SimBroker(simWorld.kernel, simWorld.journal);
  }

  /**
   * Adds to an engine everything that it needs to run the tasks, all of which are steps of the
   * workload.
   */
  EngineBuilder addTo(EngineBuilder builder, SimHost simHost) {
    for (String task : TASKS) {
      builder.task(Task.of(task, TYPE).channel("channel." + task), context -> {});
    }
    return builder
        .sequences(SequenceSettings.defaults().retry(RETRY))
        .channels(broker.transport(simHost));
  }

  /** Adds some sequences through an engine without faults. */
  void store() {
    Random random = simWorld.kernel.random;
    int workflows = 1 + random.nextInt(4);
    SimHost simHost = new SimHost(simWorld.kernel, "setup");
    simWorld.kernel.spawn(
        simHost,
        "setup",
        () -> {
          EngineRuntime runtime =
              new EngineRuntime(
                  new SimClock(simWorld.kernel),
                  new SimRunner(simWorld.kernel, simHost, this::fault),
                  new Random(random.nextLong()));
          try (Engine engine =
              addTo(Engine.builder().store(simWorld.database), simHost)
                  .settings(s -> simWorld.settings.runsInstances(false))
                  .runtime(runtime)
                  .start()) {
            for (int i = 0; i < workflows; i++) {
              engine.sequences().add(sequence("sequence" + i, runtime.clock().instant(), random));
            }
          }
        });
  }

  private void fault(Throwable thrown) {
    simWorld.journal.violated("engine", "the set-up threw " + thrown);
  }

  private TaskSequence sequence(String id, Instant now, Random random) {
    Duration every = Duration.ofSeconds(1 + random.nextInt(9));
    int fires = 1 + random.nextInt(4);
    slots.put(id, fires);
    Schedule schedule =
        Schedule.every(every, now.plus(every))
            .misfire(MisfirePolicy.ALL)
            .overlap(random.nextBoolean() ? OverlapPolicy.ALLOW : OverlapPolicy.BUFFER_ALL)
            .catchUpLimit(MAX_FIRES)
            .until(now.plus(every.multipliedBy(fires)));
    TaskSequence sequence = TaskSequence.of(id, TYPE, schedule);
    for (String task : TASKS) {
      sequence = sequence.task(task);
    }
    return sequence;
  }

  private List<StoredSlotRecord> fires(String id) {
    return simWorld.database.role(SequenceStore.class).slotRecords(id, null, MAX_FIRES).stream()
        .filter(fire -> fire.slotRecord().outcome() == SlotOutcome.FIRED)
        .toList();
  }

  /** True if every slot has been fired, and the end of its execution is recorded. */
  boolean done() {
    return slots.entrySet().stream()
        .allMatch(entry -> {
          List<StoredSlotRecord> fires = fires(entry.getKey());
          return fires.size() >= entry.getValue()
              && fires.stream().allMatch(fire -> fire.ended() != null);
        });
  }

  void check() {
    slots.forEach((id, expected) -> {
      Set<Instant> fired = new HashSet<>();
      List<StoredSlotRecord> fires = fires(id);
      for (StoredSlotRecord fire : fires) {
        fired.add(fire.slotRecord().slot());
        checkTasks(fire);
      }
      if (fired.size() != expected || fires.size() != expected) {
        simWorld.journal.violated(
            "slots", id + " has " + expected + " slots, and was fired for " + fires);
      }
    });
    simWorld.journal.counts.merge(
        "slots", slots.values().stream().mapToInt(n -> n).sum(), Integer::sum);
  }

  private void checkTasks(StoredSlotRecord fire) {
    long id = fire.executionId();
    List<String> left =
        simWorld.database.queries().history(id, 0, InstanceQuery.MAX_LIMIT).stream()
            .map(HistoryEntry::move)
            .filter(move -> !move.from().equals(move.to()))
            .map(move -> move.from())
            .toList();
    if (!left.equals(TASKS) && !left.equals(TASKS.subList(0, TASKS.size() - 1))) {
      simWorld.journal.violated("tasks", "execution " + id + " has done " + left + " of " + TASKS);
    }
  }
}
