package io.millrace.tests.sequence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.groups.Tuple.tuple;

import io.millrace.instance.ConflictException;
import io.millrace.instance.HistoryEntry;
import io.millrace.instance.HistoryEntryType;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.OperatorAction;
import io.millrace.schedule.DataWindow;
import io.millrace.schedule.Frequency;
import io.millrace.schedule.MisfirePolicy;
import io.millrace.schedule.Schedule;
import io.millrace.sequence.SequenceSettings;
import io.millrace.sequence.SequenceStatus;
import io.millrace.sequence.Task;
import io.millrace.sequence.TaskContext;
import io.millrace.sequence.TaskHandler;
import io.millrace.sequence.TaskSequence;
import io.millrace.store.SequenceStore.TaskVisit;
import io.millrace.testing.ManualEngine;
import io.millrace.testing.MemoryStore;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SequenceRunTest extends SequenceFixture {

  @Test
  void tasksRunInTheirOrderWhenTheyAreDue() {
    runTasks("KPI", "PDF", "EMAIL");
    sequences().add(sequence(DAILY, "KPI", "PDF", "EMAIL"));
    assertThat(status()).isEqualTo(SequenceStatus.NOT_STARTED);
    advanceTo("2026-01-06T00:00:00Z");
    assertThat(log).isEmpty();

    advanceTo("2026-01-06T00:01:00Z");

    String window = " 2026-01-05T00:00:00Z 2026-01-06T00:00:00Z";
    assertThat(log).containsExactly("KPI" + window, "PDF" + window, "EMAIL" + window);
    assertThat(status()).isEqualTo(SequenceStatus.COMPLETED);
    assertThat(get().times().nextRun()).isEqualTo("2026-01-07T00:00:01Z");
  }

  @Test
  void everyWindowIsReportedOnce() {
    runTasks("KPI");
    sequences().add(sequence(DAILY, "KPI"));

    engine.advance(DAY.multipliedBy(5));

    assertThat(log)
        .containsExactly(
            "KPI 2026-01-05T00:00:00Z 2026-01-06T00:00:00Z",
            "KPI 2026-01-06T00:00:00Z 2026-01-07T00:00:00Z",
            "KPI 2026-01-07T00:00:00Z 2026-01-08T00:00:00Z",
            "KPI 2026-01-08T00:00:00Z 2026-01-09T00:00:00Z",
            "KPI 2026-01-09T00:00:00Z 2026-01-10T00:00:00Z");
  }

  @Test
  void theLastFullMonthIsReportedAtOnce() {
    runTasks("KPI");
    sequences().add(sequence(Schedule.of(Frequency.MONTHLY), "KPI"));

    engine.advance(Duration.ofMinutes(1));

    assertThat(log).containsExactly("KPI 2025-12-01T00:00:00Z 2026-01-01T00:00:00Z");
    assertThat(get().times().nextRun()).isEqualTo("2026-02-01T00:00:01Z");
  }

  @Test
  void aTaskMayComeTwice() {
    runTasks("KPI", "PDF");
    sequences().add(sequence(DAILY, "KPI", "PDF", "KPI"));

    engine.advance(DAY);

    assertThat(log).extracting(line -> line.substring(0, 3)).containsExactly("KPI", "PDF", "KPI");
    assertThat(history())
        .extracting(visit -> visit.task().position())
        .containsExactlyInAnyOrder(1, 2, 3);
  }

  @Test
  void aTaskThatComesTwiceTakesNoOtherTasksName() {
    runTasks("KPI", "KPI.2", "KPI.3");
    sequences().add(sequence(DAILY, "KPI", "KPI", "KPI.2", "KPI", "KPI.2"));

    engine.advance(DAY);

    assertThat(log)
        .extracting(line -> line.substring(0, line.indexOf(' ')))
        .containsExactly("KPI", "KPI", "KPI.2", "KPI", "KPI.2");
    assertThat(engine.client().history(execution()))
        .extracting(historyEntry -> historyEntry.move().from())
        .contains("KPI", "KPI.3", "KPI.2", "KPI.4", "KPI.2.2");
  }

  @Test
  void aTaskSeesItsPlaceItsMessageAndItsParameters() {
    run(builder ->
        builder
            .task(
                Task.of("KPI", TYPE)
                    .options(
                        new Task.Options(
                            null, null, null, false, 0, Map.of("a", "task", "d", "task"))),
                this::describe)
            .task(Task.of("PDF", TYPE), this::describe));
    sequences()
        .add(
            TaskSequence.of(ID, TYPE, DAILY)
                .task("KPI", Map.of("a", "step", "b", "step"))
                .task("PDF")
                .parameter("b", "sequence")
                .parameter("c", 7));
    long id = sequences().run(ID, Map.of("c", 8), BY_ANN);

    engine.runUntilIdle();

    assertThat(log)
        .containsExactly(
            "KPI 1 1 2 attempt 1 a=step b=sequence c=8 d=task",
            ("{\"executionId\":%s,\"workflowId\":\"Report_1602842568\",\"currentTaskId\":1,"
                    + "\"nextTaskId\":2,\"sequence\":1,\"isWorkflowTaskRetry\":false}")
                .formatted(id),
            "PDF 2 2 -1 attempt 1 a=null b=sequence c=8 d=null",
            ("{\"executionId\":%s,\"workflowId\":\"Report_1602842568\",\"currentTaskId\":2,"
                    + "\"nextTaskId\":-1,\"sequence\":2,\"isWorkflowTaskRetry\":false}")
                .formatted(id));
  }

  private void describe(TaskContext task) {
    log.add(
        "%s %s %s %s attempt %s a=%s b=%s c=%s d=%s"
            .formatted(
                task.taskName(),
                task.taskId(),
                task.position(),
                task.nextTaskId(),
                task.attempt(),
                task.parameter("a", String.class).orElse(null),
                task.parameter("b", String.class).orElse(null),
                task.parameter("c", Integer.class).orElse(null),
                task.parameter("d", String.class).orElse(null)));
    log.add(task.message());
  }

  @Test
  void whatATaskPassesOnIsThereForLaterOnes() {
    run(builder ->
        builder
            .task(Task.of("KPI", TYPE), task -> task.setResult("count", 42))
            .task(
                Task.of("PDF", TYPE),
                task -> log.add("" + task.result("count", Integer.class).orElse(-1))));
    sequences().add(sequence(DAILY, "KPI", "PDF"));

    engine.advance(DAY);

    assertThat(log).containsExactly("42");
  }

  @Test
  void nothingIsPassedOnByAnAttemptThatFails() {
    run(builder ->
        builder
            .task(
                Task.of("KPI", TYPE),
                task -> {
                  log.add("" + task.result("count", Integer.class).isPresent());
                  task.setResult("count", 42);
                  if (!task.isRetry()) {
                    throw new IllegalStateException("no database");
                  }
                })
            .task(Task.of("PDF", TYPE), logging("PDF")));
    sequences().add(sequence(DAILY, "KPI"));

    engine.advance(DAY);

    assertThat(log).containsExactly("false", "false");
  }

  @Test
  void aFailedTaskIsRetriedWithoutRepeatingTheOnesBefore() {
    run(builder ->
        builder
            .sequences(SequenceSettings.defaults().maxTaskRetries(2))
            .task(Task.of("KPI", TYPE), logging("KPI"))
            .task(Task.of("PDF", TYPE), failing("PDF", 3)));
    sequences().add(sequence(DAILY, "KPI", "PDF"));
    advanceTo("2026-01-06T00:00:02Z");
    assertThat(status()).isEqualTo(SequenceStatus.ERROR);

    engine.advance(Duration.ofHours(1));

    assertThat(log)
        .extracting(line -> line.substring(0, 3))
        .containsExactly("KPI", "PDF", "PDF", "PDF");
    assertThat(status()).isEqualTo(SequenceStatus.ABORTED);
    assertThat(history())
        .extracting(TaskVisit::status, TaskVisit::retries)
        .containsExactlyInAnyOrder(tuple("COMPLETED", 0), tuple("ABORTED", 2));
  }

  private TaskHandler failing(String name, int times) {
    int[] left = {times};
    return task -> {
      log.add(name + " " + task.window().from() + " " + task.isRetry());
      if (left[0]-- > 0) {
        throw new IllegalStateException("planned");
      }
    };
  }

  @Test
  void anAbortedSequenceRunsNoMoreUntilItIsRestartedForTheSameWindow() {
    run(builder ->
        builder
            .sequences(SequenceSettings.defaults().maxTaskRetries(0))
            .task(Task.of("KPI", TYPE), failing("KPI", 1)));
    sequences().add(sequence(DAILY, "KPI"));
    engine.advance(DAY.multipliedBy(3));
    assertThat(status()).isEqualTo(SequenceStatus.ABORTED);
    assertThat(log).containsExactly("KPI 2026-01-05T00:00:00Z false");
    long aborted = execution();
    assertThatThrownBy(() -> sequences().requestRun(ID, BY_ANN))
        .isInstanceOf(ConflictException.class)
        .hasMessageContaining("is ABORTED. Restart it");

    sequences().restart(ID, BY_ANN);
    assertThat(status()).isEqualTo(SequenceStatus.RESTART);
    engine.advance(Duration.ofMinutes(2));

    assertThat(log.get(1)).isEqualTo("KPI 2026-01-05T00:00:00Z false");
    assertThat(execution()).isNotEqualTo(aborted);
    // Of the missed slots only the latest one is made up for.
    assertThat(log.subList(2, log.size())).containsExactly("KPI 2026-01-07T00:00:00Z false");
    assertThat(status()).isEqualTo(SequenceStatus.COMPLETED);
  }

  @Test
  void aRestartReportsOnTheWindowOfTheAbortedExecutionAfterAChangeOfTheSchedule() {
    run(builder ->
        builder
            .sequences(SequenceSettings.defaults().maxTaskRetries(0))
            .task(Task.of("KPI", TYPE), failing("KPI", 1)));
    sequences().add(sequence(DAILY, "KPI"));
    engine.advance(DAY);
    assertThat(status()).isEqualTo(SequenceStatus.ABORTED);

    sequences()
        .update(
            sequence(Schedule.of(Frequency.MONTHLY).zone(ZoneId.of("Asia/Tokyo")), "KPI"), null);
    sequences().restart(ID, BY_ANN);
    engine.advance(Duration.ofSeconds(10));

    assertThat(log.get(1)).isEqualTo("KPI 2026-01-05T00:00:00Z false");
    assertThat(sequences().slotRecords(ID, null, 1).getFirst().slotRecord().window())
        .isEqualTo(
            new DataWindow(
                Instant.parse("2026-01-05T00:00:00Z"), Instant.parse("2026-01-06T00:00:00Z")));
  }

  @Test
  void anAbortedExecutionGoesOnAtTheFailedTask() {
    run(builder ->
        builder
            .sequences(SequenceSettings.defaults().maxTaskRetries(0))
            .task(Task.of("KPI", TYPE), logging("KPI"))
            .task(Task.of("PDF", TYPE), failing("PDF", 1)));
    sequences().add(sequence(DAILY, "KPI", "PDF"));
    engine.advance(DAY);
    long aborted = execution();

    engine.client().retry(aborted, BY_ANN);
    engine.advance(Duration.ofMinutes(1));

    assertThat(log).extracting(line -> line.substring(0, 3)).containsExactly("KPI", "PDF", "PDF");
    assertThat(status()).isEqualTo(SequenceStatus.COMPLETED);
    engine.advance(DAY);
    assertThat(log).hasSize(5);
  }

  @Test
  void aParkedExecutionIsCancelledByARestart() {
    run(builder -> {
      builder.task(
          Task.of("KPI", TYPE),
          task -> {
            log.add("KPI");
            if (log.size() <= 5) {
              engine.killExecutor();
            }
          });
      return builder;
    });
    sequences().add(sequence(DAILY, "KPI"));
    advanceTo("2026-01-06T00:00:02Z");
    engine.advance(engine.leaseTime().multipliedBy(14));
    long parked = execution();
    assertThat(engine.client().get(parked).status()).isEqualTo(InstanceStatus.MANUAL);
    assertThat(status()).isEqualTo(SequenceStatus.ABORTED);

    sequences().restart(ID, BY_ANN);
    engine.advance(Duration.ofMinutes(2));

    assertThat(engine.client().get(parked).status()).isEqualTo(InstanceStatus.CANCELLED);
    assertThat(status()).isEqualTo(SequenceStatus.COMPLETED);
    assertThat(log).hasSize(6);
  }

  @Test
  void theOperatorOfAManualRunOrARestartCancelsTheAbortedExecution() {
    run(builder ->
        builder
            .sequences(SequenceSettings.defaults().maxTaskRetries(0))
            .task(Task.of("KPI", TYPE), failing("KPI", 2)));
    sequences().add(sequence(DAILY, "KPI"));
    engine.advance(DAY);
    long scheduled = aborted();
    sequences().run(ID, Map.of(), BY_ANN);
    engine.runUntilIdle();
    long manual = aborted();
    sequences().restart(ID, OperatorAction.by("bob"));
    engine.runUntilIdle();

    assertThat(cancelledBy(scheduled)).isEqualTo("ann");
    assertThat(cancelledBy(manual)).isEqualTo("bob");
    assertThat(status()).isEqualTo(SequenceStatus.COMPLETED);
  }

  private long aborted() {
    assertThat(status()).isEqualTo(SequenceStatus.ABORTED);
    return execution();
  }

  private String cancelledBy(long execution) {
    HistoryEntry cancelled = engine.client().history(execution).getLast();
    assertThat(cancelled.type()).isEqualTo(HistoryEntryType.CANCEL);
    return cancelled.author().actor();
  }

  @Test
  void onlyAnAbortedSequenceIsRestarted() {
    runTasks("KPI");
    sequences().add(sequence(DAILY, "KPI"));

    assertThatThrownBy(() -> sequences().restart(ID, BY_ANN))
        .isInstanceOf(ConflictException.class)
        .hasMessageContaining("NOT_STARTED, expected ABORTED");
  }

  @Test
  void aSequenceRunsAtOnceWhenItIsFlagged() {
    runTasks("KPI");
    sequences().add(sequence(DAILY, "KPI"));
    engine.advance(DAY);
    log.clear();

    sequences().requestRun(ID, BY_ANN);
    engine.advance(Duration.ofMinutes(5));

    assertThat(log).containsExactly("KPI 2026-01-05T00:00:00Z 2026-01-06T00:00:00Z");
    assertThat(get().times().nextRun()).isEqualTo("2026-01-07T00:00:01Z");
    assertThat(get().flags().runRequested()).isFalse();
  }

  @Test
  void aRequestedRunStartsAtOnceOnANodeWhoseClockIsAhead() {
    run(
        ManualEngine.defaultSettings(),
        clock -> new MemoryStore(() -> clock.instant().minus(Duration.ofHours(1))),
        builder -> builder.task(Task.of("KPI", TYPE), logging("KPI")));
    sequences().add(sequence(DAILY, "KPI"));
    engine.advance(DAY);
    log.clear();

    sequences().requestRun(ID, BY_ANN);
    engine.advance(Duration.ofMinutes(5));

    assertThat(log).hasSize(1);
  }

  @Test
  void aSequenceThatRunsIsNotRunBesideItself() {
    run(builder ->
        builder.task(
            Task.of("KPI", TYPE),
            task -> {
              throw new IllegalStateException("again later");
            }));
    sequences().add(sequence(DAILY, "KPI"));
    advanceTo("2026-01-06T00:00:02Z");

    assertThatThrownBy(() -> sequences().run(ID, Map.of(), BY_ANN))
        .isInstanceOf(ConflictException.class)
        .hasMessageContaining("is running: execution " + execution());
  }

  @Test
  void aPausedSequenceBeginsNothing() {
    runTasks("KPI");
    sequences().add(sequence(DAILY, "KPI"));
    sequences().pause(ID, BY_ANN);
    engine.advance(DAY.multipliedBy(3));
    assertThat(log).isEmpty();
    assertThat(get().flags().pausedBy()).isEqualTo("ann");

    sequences().resumeSchedule(ID);
    engine.advance(Duration.ofMinutes(1));

    assertThat(log).containsExactly("KPI 2026-01-07T00:00:00Z 2026-01-08T00:00:00Z");
    assertThat(sequences().slotRecords(ID, null, 10))
        .extracting(stored -> stored.slotRecord().outcome().name())
        .containsExactly("FIRED", "MISSED", "MISSED");
  }

  @Test
  void anInactiveSequenceBeginsNothing() {
    runTasks("KPI");
    sequences().add(sequence(DAILY, "KPI").active(false));

    engine.advance(DAY.multipliedBy(2));

    assertThat(log).isEmpty();
  }

  @Test
  void aSequenceThatDoesNotRecurRunsOnce() {
    runTasks("KPI");
    sequences().add(sequence(DAILY.once(), "KPI"));

    engine.advance(DAY.multipliedBy(4));

    assertThat(log).hasSize(1);
    assertThat(get().times().nextRun()).isNull();
  }

  @Test
  void theWindowOfAnExecutionStaysWhenTheScheduleIsChanged() {
    run(builder ->
        builder.task(
            Task.of("KPI", TYPE),
            task -> {
              log.add("" + task.window().from());
              if (!task.isRetry()) {
                sequences().update(sequence(Schedule.of(Frequency.YEARLY), "KPI"), null);
                throw new IllegalStateException("once");
              }
            }));
    sequences().add(sequence(DAILY, "KPI"));

    advanceTo("2026-01-06T00:10:00Z");

    assertThat(log).startsWith("2026-01-05T00:00:00Z", "2026-01-05T00:00:00Z");
  }

  @Test
  void aCrashInTheMiddleOfATaskRepeatsThatTaskOnly() {
    boolean[] crash = {true};
    run(builder ->
        builder
            .task(Task.of("KPI", TYPE), logging("KPI"))
            .task(
                Task.of("PDF", TYPE),
                task -> {
                  log.add("PDF");
                  if (crash[0]) {
                    crash[0] = false;
                    engine.killExecutor();
                  }
                }));
    sequences().add(sequence(DAILY, "KPI", "PDF"));

    advanceTo("2026-01-06T00:00:02Z");
    engine.advance(engine.leaseTime().multipliedBy(2));

    assertThat(log).extracting(line -> line.substring(0, 3)).containsExactly("KPI", "PDF", "PDF");
    assertThat(status()).isEqualTo(SequenceStatus.COMPLETED);
  }

  @Test
  void slotsThatPassedWhileNobodyRanAreRecorded() {
    runTasks("KPI");
    sequences().add(sequence(DAILY, "KPI"));
    engine.clock().advance(DAY.multipliedBy(4));

    engine.advance(Duration.ofMinutes(10));

    assertThat(log).containsExactly("KPI 2026-01-08T00:00:00Z 2026-01-09T00:00:00Z");
    assertThat(sequences().slotRecords(ID, null, 10))
        .extracting(
            stored -> stored.slotRecord().outcome().name() + " " + stored.slotRecord().slot())
        .containsExactly(
            "FIRED 2026-01-09T00:00:01Z",
            "MISSED 2026-01-08T00:00:01Z",
            "MISSED 2026-01-07T00:00:01Z",
            "MISSED 2026-01-06T00:00:01Z");
  }

  @Test
  void aNewMonthlySequenceThatSkipsWhatIsLateHasMissedNothing() {
    runTasks("A");
    Schedule monthly = Schedule.of(Frequency.MONTHLY).misfire(MisfirePolicy.NONE);
    sequences().add(sequence(monthly, "A"));
    engine.advance(DAY);
    assertThat(sequences().slotRecords(ID, null, 10)).isEmpty();
    assertThat(get().times().nextRun()).isEqualTo("2026-02-01T00:00:01Z");
  }
}
