package io.millrace.tests.sequence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.instance.ConflictException;
import io.millrace.instance.InstanceStatus;
import io.millrace.schedule.DayWindow;
import io.millrace.schedule.ExclusionCalendar;
import io.millrace.schedule.Frequency;
import io.millrace.schedule.MisfirePolicy;
import io.millrace.schedule.OverlapPolicy;
import io.millrace.schedule.Schedule;
import io.millrace.sequence.SequenceSettings;
import io.millrace.sequence.SequenceStatus;
import io.millrace.sequence.Task;
import io.millrace.store.SequenceStore.SlotOutcome;
import io.millrace.store.SequenceStore.SlotRecordCursor;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Tests of sequences that are changed, removed or run again while they run, or after they have run.
 */
class SequenceChangesTest extends SequenceFixture {

  private static final Schedule MONTHLY = Schedule.of(Frequency.MONTHLY);
  private static final ExclusionCalendar CLOSED =
      ExclusionCalendar.of(
          "office", ExclusionCalendar.Holiday.on(LocalDate.of(2026, 8, 15), "closed"));

  private boolean broken = true;

  private void runBreaking(int retries) {
    run(builder ->
        builder
            .sequences(SequenceSettings.defaults().maxTaskRetries(retries))
            .task(
                Task.of("KPI", TYPE),
                task -> {
                  if (broken) {
                    throw new IllegalStateException("planned");
                  }
                  log.add("" + task.window().from());
                }));
  }

  @Test
  void aSequenceThatIsRemovedAndAddedAgainRunsAgain() {
    runBreaking(0);
    sequences().add(sequence(MONTHLY, "KPI"));
    engine.advance(Duration.ofMinutes(1));
    assertThat(status()).isEqualTo(SequenceStatus.ABORTED);
    long first = execution();

    broken = false;
    sequences().remove(ID);
    sequences().add(sequence(MONTHLY, "KPI"));
    engine.advance(Duration.ofMinutes(1));

    assertThat(log).containsExactly("2025-12-01T00:00:00Z");
    assertThat(status()).isEqualTo(SequenceStatus.COMPLETED);
    assertThat(execution()).isNotEqualTo(first);
  }

  @Test
  void aChangeOfTheScheduleCancelsNothingThatRuns() {
    runBreaking(100);
    Schedule schedule = MONTHLY.overlap(OverlapPolicy.CANCEL);
    sequences().add(sequence(schedule, "KPI"));
    engine.advance(Duration.ofSeconds(2));
    long running = execution();

    sequences().update(sequence(schedule.excluding(CLOSED), "KPI"), null);
    engine.advance(Duration.ofSeconds(2));
    broken = false;
    engine.advance(Duration.ofMinutes(10));

    assertThat(execution()).isEqualTo(running);
    assertThat(log).containsExactly("2025-12-01T00:00:00Z");
    assertThat(sequences().slotRecords(ID, null, 10)).hasSize(1);
    assertThat(get().times().nextRun()).isEqualTo("2026-02-01T00:00:01Z");
  }

  @Test
  void aChangeOfTheScheduleWritesNoFalseHistory() {
    run(forWeeks(), builder -> builder.task(Task.of("KPI", TYPE), logging("KPI")));
    Schedule sprints = Schedule.of(Frequency.BI_WEEKLY_SPRINT, LocalDate.of(2026, 1, 5), null);
    sequences().add(sequence(sprints, "KPI"));
    engine.advance(Duration.ofDays(100));
    int ran = log.size();
    Instant next = get().times().nextRun();

    sequences().update(sequence(sprints.overlap(OverlapPolicy.SKIP), "KPI"), null);
    engine.advance(Duration.ofMinutes(1));

    assertThat(ran).isEqualTo(7);
    assertThat(log).hasSize(ran);
    assertThat(get().times().nextRun()).isEqualTo(next);
    assertThat(sequences().slotRecords(ID, null, 100))
        .hasSize(ran)
        .allMatch(stored -> stored.slotRecord().outcome() == SlotOutcome.FIRED);
  }

  @Test
  void anotherFrequencyBeginsAtItsOwnFirstSlot() {
    runTasks("KPI");
    advanceTo("2026-01-10T00:00:00Z");
    sequences().add(sequence(DAILY, "KPI"));
    engine.advance(DAY.multipliedBy(3));
    log.clear();

    sequences().update(sequence(MONTHLY, "KPI"), null);
    engine.advance(Duration.ofMinutes(1));

    assertThat(log).containsExactly("KPI 2025-12-01T00:00:00Z 2026-01-01T00:00:00Z");
  }

  @Test
  void aRequestedRunStartsThoughItsSlotHasBeenRun() {
    runTasks("KPI");
    sequences().add(sequence(MONTHLY, "KPI").active(false));
    sequences()
        .backfill(
            ID,
            Instant.parse("2026-01-01T00:00:00Z"),
            Instant.parse("2026-01-02T00:00:00Z"),
            BY_ANN);
    engine.advance(Duration.ofMinutes(1));
    assertThat(log).hasSize(1);

    sequences().requestRun(ID, BY_ANN);
    engine.advance(Duration.ofMinutes(1));

    assertThat(log).hasSize(2);
    assertThat(get().flags().runRequested()).isFalse();
    assertThat(get().times().nextRun()).isEqualTo("2026-02-01T00:00:01Z");
  }

  @Test
  void whatWasAbortedIsNotResumedBesideItsRestart() {
    runBreaking(0);
    sequences().add(sequence(MONTHLY, "KPI"));
    engine.advance(Duration.ofMinutes(1));
    long aborted = execution();

    broken = false;
    sequences().restart(ID, BY_ANN);
    engine.advance(Duration.ofMinutes(1));

    assertThat(status()).isEqualTo(SequenceStatus.COMPLETED);
    assertThat(engine.client().get(aborted).status()).isEqualTo(InstanceStatus.CANCELLED);
  }

  @Test
  void whatWasAbortedIsNotResumedBesideARunByAPerson() {
    runBreaking(0);
    sequences().add(sequence(MONTHLY, "KPI"));
    engine.advance(Duration.ofMinutes(1));
    long aborted = execution();

    broken = false;
    long run = sequences().run(ID, Map.of(), BY_ANN);
    engine.advance(Duration.ofMinutes(1));

    assertThat(engine.client().get(run).status()).isEqualTo(InstanceStatus.FINISHED);
    assertThat(engine.client().get(aborted).status()).isEqualTo(InstanceStatus.CANCELLED);
    assertThatThrownBy(() -> engine.client().retry(aborted, BY_ANN))
        .isInstanceOf(ConflictException.class);
    assertThat(log).containsExactly("2025-12-01T00:00:00Z");
  }

  @Test
  void whatIsParkedDoesNotKeepASequenceThatWasRunAgainFromBeingRemoved() {
    boolean[] kill = {true};
    run(builder ->
        builder.task(
            Task.of("KPI", TYPE),
            task -> {
              if (kill[0]) {
                engine.killExecutor();
              }
              log.add("" + task.window().from());
            }));
    sequences().add(sequence(MONTHLY, "KPI"));
    engine.advance(Duration.ofSeconds(2));
    engine.advance(engine.leaseTime().multipliedBy(14));
    long parked = execution();
    assertThat(engine.client().get(parked).status()).isEqualTo(InstanceStatus.MANUAL);
    kill[0] = false;
    log.clear();

    sequences().run(ID, Map.of(), BY_ANN);
    engine.advance(Duration.ofMinutes(1));

    assertThat(engine.client().get(parked).status()).isEqualTo(InstanceStatus.CANCELLED);
    assertThat(log).hasSize(1);
    sequences().remove(ID);
    assertThat(sequences().find(ID)).isEmpty();
  }

  @Test
  void aRestartOfAnotherWindowIsNotLostInARunByAPerson() {
    runBreaking(0);
    sequences().add(sequence(DAILY, "KPI"));
    engine.advance(DAY);
    assertThat(status()).isEqualTo(SequenceStatus.ABORTED);
    sequences().pause(ID, BY_ANN);
    engine.advance(DAY);
    sequences().restart(ID, BY_ANN);
    sequences().pause(ID, BY_ANN);
    broken = false;

    assertThatThrownBy(() -> sequences().run(ID, Map.of(), BY_ANN))
        .isInstanceOf(ConflictException.class)
        .hasMessageContaining("is to be restarted");
    sequences().resumeSchedule(ID);
    engine.advance(Duration.ofMinutes(1));

    assertThat(log.getFirst()).isEqualTo("2026-01-05T00:00:00Z");
  }

  @Test
  void aRunByAPersonForTheWindowOfARestartIsTheRestart() {
    runBreaking(0);
    sequences().add(sequence(MONTHLY, "KPI"));
    engine.advance(Duration.ofMinutes(1));
    sequences().restart(ID, BY_ANN);
    sequences().pause(ID, BY_ANN);
    broken = false;

    sequences().run(ID, Map.of(), BY_ANN);
    engine.advance(Duration.ofMinutes(1));
    sequences().resumeSchedule(ID);
    engine.advance(Duration.ofMinutes(1));

    assertThat(log).containsExactly("2025-12-01T00:00:00Z");
    assertThat(status()).isEqualTo(SequenceStatus.COMPLETED);
  }

  @Test
  void aSlotThatWaitsOutlivesAChangeOfTheSchedule() {
    runBreaking(1_000);
    sequences().add(sequence(DAILY, "KPI"));
    advanceTo("2026-01-07T01:00:00Z");
    assertThat(status()).isEqualTo(SequenceStatus.ERROR);

    sequences().update(sequence(DAILY.excluding(CLOSED), "KPI"), null);
    broken = false;
    advanceTo("2026-01-07T23:00:00Z");

    assertThat(log).containsExactly("2026-01-05T00:00:00Z", "2026-01-06T00:00:00Z");
  }

  @Test
  void aBacklogStaysWhenItsLimitIsRaised() {
    runTasks("KPI");
    Schedule hourly =
        Schedule.every(Duration.ofHours(1)).misfire(MisfirePolicy.ALL).catchUpLimit(10);
    sequences().add(sequence(hourly, "KPI"));
    sequences().pause(ID, BY_ANN);
    engine.advance(Duration.ofHours(12));

    sequences().update(sequence(hourly.catchUpLimit(11), "KPI"), null);
    sequences().resumeSchedule(ID);
    engine.advance(Duration.ofMinutes(5));

    assertThat(log).hasSize(11);
    assertThat(sequences().slotRecords(ID, null, 100)).hasSize(12);
  }

  @Test
  void anEndThatIsPutBeforeTheNextRunEndsTheSchedule() {
    runTasks("KPI");
    sequences().add(sequence(DAILY, "KPI"));

    sequences().update(sequence(DAILY.until(engine.clock().instant()), "KPI"), null);
    assertThat(get().times().nextRun()).isNull();
    sequences().update(sequence(DAILY, "KPI"), null);

    assertThat(get().times().nextRun()).isEqualTo("2026-01-06T00:00:01Z");
  }

  @Test
  void whatWasDueBeforeAnotherFrequencyIsRecordedAsMissed() {
    runTasks("KPI");
    sequences().add(sequence(DAILY, "KPI"));
    sequences().pause(ID, BY_ANN);
    advanceTo("2026-01-08T12:00:00Z");

    sequences().update(sequence(Schedule.of(Frequency.WEEKLY), "KPI"), null);

    assertThat(sequences().slotRecords(ID, null, 10))
        .extracting(stored -> stored.slotRecord().outcome() + " " + stored.slotRecord().slot())
        .containsExactly(
            "MISSED 2026-01-08T00:00:01Z",
            "MISSED 2026-01-07T00:00:01Z",
            "MISSED 2026-01-06T00:00:01Z");
    assertThat(sequences().slotRecords(ID, null, 10))
        .allMatch(stored -> "the schedule was changed".equals(stored.slotRecord().reason()));
    assertThat(get().times().nextRun()).isEqualTo("2026-01-11T00:00:01Z");
  }

  @Test
  void aMonthIsReportedThoughItsSlotWasThatOfADay() {
    runTasks("KPI");
    advanceTo("2026-01-30T00:00:00Z");
    sequences().add(sequence(DAILY, "KPI"));
    advanceTo("2026-02-10T00:00:00Z");
    log.clear();

    sequences().update(sequence(MONTHLY, "KPI"), null);
    engine.advance(Duration.ofMinutes(1));
    assertThat(log).containsExactly("KPI 2026-01-01T00:00:00Z 2026-02-01T00:00:00Z");

    sequences().update(sequence(DAILY, "KPI"), null);
    sequences().update(sequence(MONTHLY, "KPI"), null);
    advanceTo("2026-03-02T00:00:00Z");
    assertThat(log)
        .containsExactly(
            "KPI 2026-01-01T00:00:00Z 2026-02-01T00:00:00Z",
            "KPI 2026-02-01T00:00:00Z 2026-03-01T00:00:00Z");
    assertThat(
            sequences()
                .slotRecords(ID, SlotRecordCursor.before(Instant.parse("2026-02-01T00:00:02Z")), 2))
        .extracting(stored -> stored.slotRecord().slot() + " " + stored.slotRecord().outcome())
        .containsExactly("2026-02-01T00:00:01Z FIRED", "2026-02-01T00:00:01Z FIRED");
  }

  @Test
  void aWindowThatIsMovedWithinItsDayMakesNoSecondRunOfTheDay() {
    runTasks("KPI");
    sequences().add(sequence(onceFrom("08:00", "09:00"), "KPI"));
    advanceTo("2026-01-06T08:30:00Z");
    int runs = log.size();
    assertThat(log.getLast()).isEqualTo("KPI 2026-01-05T00:00:00Z 2026-01-06T00:00:00Z");

    sequences().update(sequence(onceFrom("08:20", "10:00"), "KPI"), null);
    advanceTo("2026-01-06T23:00:00Z");
    assertThat(log).hasSize(runs);

    advanceTo("2026-01-07T08:30:00Z");
    assertThat(log.getLast()).isEqualTo("KPI 2026-01-06T00:00:00Z 2026-01-07T00:00:00Z");
    assertThat(log).hasSize(runs + 1);
  }

  private static Schedule onceFrom(String start, String end) {
    return Schedule.within(DayWindow.of(start, end, Duration.ofMinutes(5)).oncePerWindow());
  }
}
