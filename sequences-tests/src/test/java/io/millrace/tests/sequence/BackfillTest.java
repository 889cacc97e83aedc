package io.millrace.tests.sequence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.instance.InstanceStatus;
import io.millrace.instance.InvalidRequestException;
import io.millrace.instance.Progress;
import io.millrace.schedule.ExclusionCalendar;
import io.millrace.schedule.Frequency;
import io.millrace.schedule.Schedule;
import io.millrace.sequence.Backfill;
import io.millrace.sequence.Backfill.Outcome;
import io.millrace.sequence.SequenceSettings;
import io.millrace.sequence.SequenceStatus;
import io.millrace.sequence.Task;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests that slots of the past run on request, one after another, and each once. */
class BackfillTest extends SequenceFixture {

  private static final Instant FROM = Instant.parse("2025-12-30T00:00:00Z");
  private static final Instant TO = Instant.parse("2026-01-03T00:00:00Z");

  @Test
  void slotsOfThePastAreRunOneAfterAnother() {
    runTasks("KPI", "PDF");
    sequences().add(sequence(DAILY, "KPI", "PDF"));

    Backfill begun = sequences().backfill(ID, FROM, TO, BY_ANN);
    engine.advance(Duration.ofMinutes(5));

    assertThat(begun.slots()).extracting(Backfill.Entry::outcome).containsOnly(Outcome.TO_RUN);
    assertThat(begun.truncated()).isFalse();
    assertThat(log)
        .containsExactly(
            "KPI 2025-12-29T00:00:00Z 2025-12-30T00:00:00Z",
            "PDF 2025-12-29T00:00:00Z 2025-12-30T00:00:00Z",
            "KPI 2025-12-30T00:00:00Z 2025-12-31T00:00:00Z",
            "PDF 2025-12-30T00:00:00Z 2025-12-31T00:00:00Z",
            "KPI 2025-12-31T00:00:00Z 2026-01-01T00:00:00Z",
            "PDF 2025-12-31T00:00:00Z 2026-01-01T00:00:00Z",
            "KPI 2026-01-01T00:00:00Z 2026-01-02T00:00:00Z",
            "PDF 2026-01-01T00:00:00Z 2026-01-02T00:00:00Z");
    assertThat(begun.instanceId()).isNotNull();
    assertThat(engine.client().get(begun.instanceId()).status()).isEqualTo(InstanceStatus.FINISHED);
    assertThat(get().times().nextRun()).isEqualTo("2026-01-06T00:00:01Z");
    assertThat(sequences().slotRecords(ID, null, 10))
        .allSatisfy(stored -> {
          assertThat(stored.slotRecord().cause()).isEqualTo("backfill");
          assertThat(stored.slotRecord().reason()).isEqualTo("ann: because");
        });
  }

  @Test
  void aBackfillReportsItsProgressWhileItWaitsAndAfterEachSlot() {
    List<String> progress = new ArrayList<>();
    long[] backfill = {0};
    run(builder ->
        builder.task(
            Task.of("KPI", TYPE),
            task -> progress.add(task.window().from() + " " + progress(backfill[0]))));
    sequences().add(sequence(DAILY, "KPI"));
    sequences().pause(ID, BY_ANN);
    backfill[0] = sequences().backfill(ID, FROM, TO, BY_ANN).instanceId();
    engine.advance(Duration.ofSeconds(10));
    assertThat(progress(backfill[0])).as("while it waits").isEqualTo("0 of 4");

    sequences().resumeSchedule(ID);
    engine.advance(Duration.ofMinutes(10));

    assertThat(progress)
        .containsExactly(
            "2025-12-29T00:00:00Z 1 of 4",
            "2025-12-30T00:00:00Z 2 of 4",
            "2025-12-31T00:00:00Z 3 of 4",
            "2026-01-01T00:00:00Z 4 of 4");
    assertThat(progress(backfill[0])).isEqualTo("4 of 4");
    assertThat(engine.client().get(backfill[0]).status()).isEqualTo(InstanceStatus.FINISHED);
  }

  private String progress(long instanceId) {
    Progress progress = engine.client().get(instanceId).progress();
    return progress == null ? "none" : progress.done() + " of " + progress.total();
  }

  @Test
  void aDryRunBeginsNothing() {
    runTasks("KPI");
    sequences().add(sequence(DAILY, "KPI"));

    Backfill plan = sequences().previewBackfill(ID, FROM, TO);
    engine.advance(Duration.ofMinutes(5));

    assertThat(plan.slots()).hasSize(4);
    assertThat(plan.instanceId()).isNull();
    assertThat(log).isEmpty();
  }

  @Test
  void whatHasRunIsNotRunAgainAndHolidaysAreLeftOut() {
    runTasks("KPI");
    sequences()
        .add(
            sequence(
                DAILY.excluding(
                    ExclusionCalendar.of(
                        "office",
                        ExclusionCalendar.Holiday.on(LocalDate.of(2026, 1, 2), "closed"))),
                "KPI"));
    engine.advance(DAY);
    long ran = execution();
    sequences().backfill(ID, FROM, FROM.plus(DAY), BY_ANN);
    engine.advance(Duration.ofMinutes(2));
    log.clear();

    Backfill begun = sequences().backfill(ID, FROM, Instant.parse("2026-01-06T01:00:00Z"), BY_ANN);
    engine.advance(Duration.ofMinutes(5));

    assertThat(begun.slots())
        .extracting(Backfill.Entry::outcome)
        .containsExactly(
            Outcome.HAS_RUN,
            Outcome.TO_RUN,
            Outcome.TO_RUN,
            Outcome.EXCLUDED,
            Outcome.TO_RUN,
            Outcome.TO_RUN,
            Outcome.TO_RUN,
            Outcome.HAS_RUN);
    assertThat(begun.slots().getLast().executionId()).isEqualTo(ran);
    assertThat(log).hasSize(5);
  }

  @Test
  void twoBackfillsOfTheSameTimeRunEachSlotOnce() {
    runTasks("KPI");
    sequences().add(sequence(DAILY, "KPI"));

    sequences().backfill(ID, FROM, TO, BY_ANN);
    sequences().backfill(ID, FROM, TO, BY_ANN);
    engine.advance(Duration.ofMinutes(10));

    assertThat(log).hasSize(4).doesNotHaveDuplicates();
  }

  @Test
  void anAbortedSlotAndAPauseLetTheOthersWait() {
    boolean[] broken = {true};
    run(builder ->
        builder
            .sequences(SequenceSettings.defaults().maxTaskRetries(0))
            .task(
                Task.of("KPI", TYPE),
                task -> {
                  if (broken[0]) {
                    throw new IllegalStateException("no figures");
                  }
                  log.add("" + task.window().from());
                }));
    sequences().add(sequence(DAILY, "KPI"));
    long backfill = sequences().backfill(ID, FROM, TO, BY_ANN).instanceId();
    engine.advance(Duration.ofMinutes(5));
    assertThat(status()).isEqualTo(SequenceStatus.ABORTED);
    assertThat(engine.client().get(backfill).status().isTerminal()).isFalse();

    broken[0] = false;
    sequences().restart(ID, BY_ANN);
    sequences().pause(ID, BY_ANN);
    engine.advance(Duration.ofMinutes(5));
    assertThat(log).isEmpty();
    sequences().resumeSchedule(ID);
    engine.advance(Duration.ofMinutes(10));

    assertThat(log)
        .containsExactly(
            "2025-12-29T00:00:00Z",
            "2025-12-30T00:00:00Z",
            "2025-12-31T00:00:00Z",
            "2026-01-01T00:00:00Z");
    assertThat(engine.client().get(backfill).status()).isEqualTo(InstanceStatus.FINISHED);
  }

  @Test
  void aLongWaitWritesLittleHistory() {
    runTasks("KPI");
    sequences().add(sequence(DAILY, "KPI"));
    sequences().pause(ID, BY_ANN);
    long backfill = sequences().backfill(ID, FROM, TO, BY_ANN).instanceId();

    engine.advance(Duration.ofDays(10));
    assertThat(engine.client().get(backfill).seq()).isLessThan(12 + 10 * 24);

    sequences().resumeSchedule(ID);
    engine.advance(Duration.ofHours(2));
    assertThat(engine.client().get(backfill).status()).isEqualTo(InstanceStatus.FINISHED);
  }

  @Test
  void aSequenceThatIsRemovedEndsItsBackfill() {
    runTasks("KPI");
    sequences().add(sequence(DAILY, "KPI"));
    sequences().pause(ID, BY_ANN);
    long backfill = sequences().backfill(ID, FROM, TO, BY_ANN).instanceId();
    engine.advance(Duration.ofMinutes(1));

    sequences().remove(ID);
    engine.advance(Duration.ofMinutes(5));

    assertThat(engine.client().get(backfill).status()).isEqualTo(InstanceStatus.FAILED);
    assertThat(log).isEmpty();
  }

  @Test
  void aSequenceThatIsAddedAgainIsNotThatOfTheBackfill() {
    runTasks("KPI");
    sequences().add(sequence(DAILY, "KPI"));
    sequences().pause(ID, BY_ANN);
    long backfill = sequences().backfill(ID, FROM, TO, BY_ANN).instanceId();
    engine.advance(Duration.ofMinutes(1));

    sequences().remove(ID);
    sequences().add(sequence(Schedule.of(Frequency.WEEKLY), "KPI"));
    engine.advance(Duration.ofMinutes(5));

    assertThat(log).isEmpty();
    assertThat(engine.client().get(backfill).status()).isEqualTo(InstanceStatus.FAILED);
    assertThat(engine.client().history(backfill).getLast().outcome().reason())
        .contains("was removed", "another one was added");
  }

  @Test
  void aTimeThatIsNotPastIsRefused() {
    runTasks("KPI");
    sequences().add(sequence(DAILY, "KPI"));
    Instant now = engine.clock().instant();

    assertThatThrownBy(() -> sequences().previewBackfill(ID, FROM, now.plusSeconds(1)))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("at most now");
    assertThatThrownBy(() -> sequences().previewBackfill(ID, TO, FROM))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("one before");
    assertThatThrownBy(() -> sequences().previewBackfill("Nobody", FROM, TO))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("no sequence 'Nobody'");
  }

  @Test
  void moreSlotsThanOneBackfillRunsAreSaidToBeLeft() {
    runTasks("KPI");
    sequences().add(sequence(Schedule.every(Duration.ofMinutes(1)), "KPI"));

    Backfill plan = sequences().previewBackfill(ID, FROM, TO);

    assertThat(plan.slots()).hasSize(Backfill.MAX_SLOTS);
    assertThat(plan.truncated()).isTrue();
  }

  @Test
  void parametersOfTheSequenceHoldForItsBackfill() {
    run(builder ->
        builder.task(
            Task.of("KPI", TYPE),
            task -> log.add(task.parameter("unit", String.class).orElse(""))));
    sequences().add(sequence(DAILY, "KPI").parameter("unit", "EUR"));

    sequences().backfill(ID, FROM, FROM.plus(DAY), BY_ANN);
    engine.advance(Duration.ofMinutes(1));

    assertThat(log).containsExactly("EUR");
  }

  @Test
  void aSlotThatHasRunForAnotherWindowIsRun() {
    runTasks("KPI");
    advanceTo("2026-01-30T00:00:00Z");
    sequences().add(sequence(DAILY, "KPI"));
    advanceTo("2026-02-10T00:00:00Z");
    sequences().pause(ID, BY_ANN);
    sequences().update(sequence(Schedule.of(Frequency.MONTHLY), "KPI").active(false), null);
    sequences().resumeSchedule(ID);
    log.clear();
    Instant from = Instant.parse("2026-01-15T00:00:00Z");

    Backfill begun = sequences().backfill(ID, from, engine.clock().instant(), BY_ANN);
    engine.advance(Duration.ofMinutes(1));

    assertThat(begun.slots()).extracting(Backfill.Entry::outcome).containsExactly(Outcome.TO_RUN);
    assertThat(log).containsExactly("KPI 2026-01-01T00:00:00Z 2026-02-01T00:00:00Z");
    assertThat(sequences().previewBackfill(ID, from, engine.clock().instant()).slots())
        .extracting(Backfill.Entry::outcome)
        .containsExactly(Outcome.HAS_RUN);
  }
}
