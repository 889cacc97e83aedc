package io.millrace.tests.sequence;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.fixtures.Proxies;
import io.millrace.schedule.CronExpression;
import io.millrace.schedule.ExclusionCalendar;
import io.millrace.schedule.ExclusionCalendar.Holiday;
import io.millrace.schedule.MisfirePolicy;
import io.millrace.schedule.OverlapPolicy;
import io.millrace.schedule.Schedule;
import io.millrace.sequence.SchedulerAction;
import io.millrace.sequence.SequenceSettings;
import io.millrace.sequence.SequenceSettings.SchedulerCrons;
import io.millrace.sequence.SequenceStatus;
import io.millrace.sequence.Task;
import io.millrace.store.SequenceStore;
import io.millrace.store.SequenceStore.FireBatchResult;
import io.millrace.store.Store;
import io.millrace.testing.ManualEngine;
import io.millrace.testing.MemoryStore;
import java.time.Duration;
import java.time.LocalDate;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Tests of the scheduler: the slots that it starts and records, and the times of its crons. */
class SchedulersTest extends SequenceFixture {

  private static final Schedule HOURLY = Schedule.every(Duration.ofHours(1));
  private static final CronExpression NOON = CronExpression.parse("0 0 12 * * ?");

  private void run(SchedulerCrons schedulerCrons) {
    run(builder ->
        builder
            .sequences(SequenceSettings.defaults().crons(schedulerCrons).maxTaskRetries(2))
            .task(Task.of("KPI", TYPE), logging("KPI"))
            .task(
                Task.of("BAD", TYPE),
                task -> {
                  log.add("BAD " + task.now());
                  throw new IllegalStateException("planned");
                }));
  }

  private static Set<SequenceStatus> allowing(Predicate<SequenceStatus> allowed) {
    return EnumSet.allOf(SequenceStatus.class).stream().filter(allowed).collect(Collectors.toSet());
  }

  @Test
  void eachTakesItsStatuses() {
    assertThat(allowing(SchedulerAction.START_SCHEDULED::isAllowed))
        .containsExactlyInAnyOrder(
            SequenceStatus.COMPLETED, SequenceStatus.NOT_STARTED, SequenceStatus.RESTART);
    assertThat(allowing(SchedulerAction.START_REQUESTED::isAllowed))
        .containsExactlyInAnyOrder(
            SequenceStatus.NOT_STARTED,
            SequenceStatus.RESTART,
            SequenceStatus.TASK_INITIALIZE_ERROR,
            SequenceStatus.COMPLETED);
    assertThat(allowing(SchedulerAction.RECORD_MISSED::isAllowed))
        .containsExactlyInAnyOrder(SequenceStatus.COMPLETED, SequenceStatus.NOT_STARTED);
  }

  @Test
  void theExecutorLooksWhenItsCronSays() {
    run(new SchedulerCrons(NOON, null, null));
    sequences().add(sequence(DAILY, "KPI"));

    advanceTo("2026-01-06T11:59:59Z");
    assertThat(log).isEmpty();
    advanceTo("2026-01-06T12:00:30Z");
    assertThat(log).containsExactly("KPI 2026-01-05T00:00:00Z 2026-01-06T00:00:00Z");
    advanceTo("2026-01-07T13:00:00Z");
    assertThat(log).hasSize(2);
  }

  @Test
  void whatComesInTimeForTheExecutorIsNotMissed() {
    run(new SchedulerCrons(NOON, null, null));
    sequences().add(sequence(DAILY.misfire(MisfirePolicy.NONE), "KPI"));

    advanceTo("2026-01-07T13:00:00Z");

    assertThat(log).hasSize(2);
  }

  /** Simulates a sequence that another node holds, or a database clock behind this node's. */
  @Test
  void whatIsDueButNotToBeHadIsNotAskedForAllTheTime() {
    AtomicInteger looks = new AtomicInteger();
    run(
        ManualEngine.defaultSettings(),
        clock -> withoutFires(new MemoryStore(clock), looks),
        builder -> builder.task(Task.of("KPI", TYPE), logging("KPI")));
    sequences().add(sequence(DAILY, "KPI"));
    engine.advance(Duration.between(engine.clock().instant(), get().times().due()).plusMinutes(1));
    looks.set(0);

    engine.advance(Duration.ofSeconds(10));

    assertThat(get().times().due()).isBefore(engine.clock().instant());
    assertThat(looks).hasValueBetween(20, 110);
  }

  private static Store withoutFires(Store store, AtomicInteger looks) {
    SequenceStore schedules =
        Proxies.proxy(
            SequenceStore.class,
            (method, args) -> {
              if (method.getName().equals("fireDue")) {
                looks.incrementAndGet();
                return FireBatchResult.NONE;
              }
              return Proxies.invoke(store.role(SequenceStore.class), method, args);
            });
    return Proxies.withRole(store, SequenceStore.class, schedules);
  }

  @Test
  void aBatchThatEndsByItsSizeIsFollowedByTheNextAtOnce() {
    run(new SchedulerCrons(null, null, null));
    for (int i = 10; i < 21; i++) {
      sequences().add(sequence(ID + i, DAILY, "KPI").parameter("text", "x".repeat(900_000)));
    }

    engine.advance(
        Duration.between(engine.clock().instant(), sequences().get(ID + 10).times().due()));

    assertThat(log).hasSize(11);
  }

  @Test
  void whatIsFlaggedDoesNotWaitForTheExecutor() {
    run(new SchedulerCrons(NOON, null, null));
    sequences().add(sequence(DAILY, "KPI"));
    sequences().requestRun(ID, BY_ANN);

    engine.advance(Duration.ofMinutes(5));

    assertThat(log).hasSize(1);
  }

  @Test
  void failedTasksAreTriedAgainWhenTheCronOfRetriesSays() {
    run(new SchedulerCrons(null, CronExpression.parse("0 0 */4 ? * *"), null));
    sequences().add(sequence(DAILY, "BAD"));

    engine.advance(Duration.ofDays(1));

    assertThat(log)
        .hasSize(3)
        .satisfies(lines -> {
          assertThat(lines.get(0)).startsWith("BAD 2026-01-06T00:00:01");
          assertThat(lines.get(1)).startsWith("BAD 2026-01-06T04:00:0");
          assertThat(lines.get(2)).startsWith("BAD 2026-01-06T08:00:0");
        });
    assertThat(status()).isEqualTo(SequenceStatus.ABORTED);
  }

  @Test
  void autoCorrectionWritesDownWhatWasMissedBeforeTheExecutorLooks() {
    run(new SchedulerCrons(NOON, null, CronExpression.parse("0 30 * * * ?")));
    sequences().add(sequence(HOURLY, "KPI"));
    advanceTo("2026-01-05T11:40:00Z");
    assertThat(log).isEmpty();
    assertThat(sequences().slotRecords(ID, null, 10))
        .extracting(
            stored -> stored.slotRecord().outcome().name() + " " + stored.slotRecord().slot())
        .containsExactly("MISSED 2026-01-05T10:00:00Z", "MISSED 2026-01-05T09:00:00Z");
    assertThat(get().times().nextRun()).isEqualTo("2026-01-05T11:00:00Z");

    advanceTo("2026-01-05T12:01:00Z");

    assertThat(log).containsExactly("KPI 2026-01-05T11:00:00Z 2026-01-05T12:00:00Z");
  }

  @Test
  void autoCorrectionLeavesWhatFailsAlone() {
    run(new SchedulerCrons(null, null, CronExpression.parse("0 0 * * * ?")));
    sequences().add(sequence(HOURLY, "BAD"));

    engine.advance(Duration.ofHours(6));

    assertThat(status()).isEqualTo(SequenceStatus.ABORTED);
    assertThat(sequences().slotRecords(ID, null, 10)).hasSize(1);
    assertThat(get().times().nextRun()).isEqualTo("2026-01-05T10:00:00Z");
  }

  @Test
  void bufferedSlotsRunOneAfterAnotherWhenAllAreWanted() {
    boolean[] fails = {true};
    run(builder ->
        builder.task(
            Task.of("KPI", TYPE).options(new Task.Options(3, 100_000L, null, false, 0, Map.of())),
            task -> {
              log.add("" + task.window().to());
              if (fails[0]) {
                throw new IllegalStateException("planned");
              }
            }));
    sequences()
        .add(
            sequence(
                Schedule.every(Duration.ofSeconds(20)).overlap(OverlapPolicy.BUFFER_ALL), "KPI"));
    engine.advance(Duration.ofSeconds(70));
    assertThat(status()).isEqualTo(SequenceStatus.ERROR);
    log.clear();
    fails[0] = false;

    engine.advance(Duration.ofMinutes(5));

    assertThat(log).isSorted().doesNotHaveDuplicates().hasSizeGreaterThan(15);
    assertThat(log.getFirst()).isEqualTo("2026-01-05T08:00:20Z");
  }

  @Test
  void aSlotThatComesDuringARunIsSkippedWhereThatIsWanted() {
    run(SchedulerCrons.NONE);
    sequences().add(sequence(HOURLY.overlap(OverlapPolicy.SKIP), "BAD"));
    advanceTo("2026-01-05T09:00:06Z");
    long first = execution();
    engine.client().pause(first, BY_ANN);

    advanceTo("2026-01-05T11:30:00Z");

    assertThat(sequences().slotRecords(ID, null, 10))
        .extracting(stored -> stored.slotRecord().outcome().name())
        .containsExactly("SKIPPED", "SKIPPED", "FIRED");
    assertThat(execution()).isEqualTo(first);
  }

  @Test
  void aRunIsCancelledByTheNextWhereThatIsWanted() {
    run(SchedulerCrons.NONE);
    sequences().add(sequence(HOURLY.overlap(OverlapPolicy.CANCEL), "BAD"));
    advanceTo("2026-01-05T09:00:06Z");
    long first = execution();
    engine.client().pause(first, BY_ANN);

    advanceTo("2026-01-05T10:00:06Z");

    assertThat(execution()).isNotEqualTo(first);
    assertThat(engine.client().get(first).status().code()).isEqualTo("cancelled");
    assertThat(engine.client().history(first).getLast().outcome().reason())
        .contains("the next run of sequence '" + ID + "' is due");
  }

  @Test
  void aHolidayIsRecorded() {
    run(SchedulerCrons.NONE);
    sequences()
        .add(
            sequence(
                DAILY.excluding(
                    ExclusionCalendar.of(
                        "Bavaria", Holiday.yearly(LocalDate.of(2026, 1, 6), "Epiphany"))),
                "KPI"));

    engine.advance(Duration.ofDays(2));

    assertThat(log).containsExactly("KPI 2026-01-06T00:00:00Z 2026-01-07T00:00:00Z");
    assertThat(sequences().slotRecords(ID, null, 10).getLast().slotRecord().reason())
        .contains("Epiphany");
  }

  @Test
  void aFlaggedRunIsNotLostWhenItsSlotIsAHoliday() {
    run(SchedulerCrons.NONE);
    sequences()
        .add(
            sequence(
                DAILY.excluding(
                    ExclusionCalendar.of(
                        "Bavaria", Holiday.yearly(LocalDate.of(2026, 1, 6), "Epiphany"))),
                "KPI"));
    engine.clock().advance(Duration.ofHours(20));
    sequences().requestRun(ID, BY_ANN);

    engine.advance(Duration.ofMinutes(3));

    assertThat(log).hasSize(1);
    assertThat(get().flags().runRequested()).isFalse();
  }
}
