package io.millrace.verification.kill;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.sequence.ChannelTransport.QueueStatus;
import io.millrace.verification.kill.SequenceFacts.AttemptStart;
import io.millrace.verification.kill.SequenceFacts.Execution;
import io.millrace.verification.kill.SequenceFacts.Fire;
import io.millrace.verification.kill.SequenceFacts.HistoryRow;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that every check can fail: each planted fault is reported, and nothing else is. */
class SequenceChecksTest {

  private static final List<String> TASKS = List.of("KPI", "PDF");
  private static final List<String> WANTED = List.of("one", "two");

  /** Facts about two clean executions, one of which was recovered once. */
  private static final SequenceFacts FINE =
      new SequenceFacts(
          List.of(execution(1, "one", "finished", 2), execution(2, "two", "finished", 2)),
          List.of(
              historyRow(1, 1, "stateExecution", "KPI", 1),
              historyRow(1, 2, "stateExecution", "PDF", 2),
              historyRow(2, 1, "recovery", "KPI", 1),
              historyRow(2, 2, "stateExecution", "KPI", 2),
              historyRow(2, 3, "stateExecution", "PDF", 2)),
          List.of(new Fire("one", "monday", 1, true), new Fire("two", "monday", 2, true)),
          0,
          List.of(
              new AttemptStart(1, "KPI", 1, 1),
              new AttemptStart(1, "PDF", 2, 2),
              new AttemptStart(2, "KPI", 1, 1),
              new AttemptStart(2, "KPI", 2, 2),
              new AttemptStart(2, "PDF", 3, 2)),
          List.of(new QueueStatus("KPI", 0, 0, 0)));

  private static Execution execution(long id, String sequenceId, String status, int count) {
    return new Execution(id, sequenceId, status, count, false);
  }

  private static HistoryRow historyRow(
      long id, int seq, String type, String from, int leaseVersion) {
    return new HistoryRow(id, seq, type, from, "next", leaseVersion);
  }

  /**
   * A planted fault.
   *
   * @param words text of its violation
   */
  record Plant(String words, UnaryOperator<SequenceFacts> change) {
    @Override
    public String toString() {
      return words;
    }
  }

  static Stream<Plant> plants() {
    return Stream.of(
        executions("has not finished", 0, execution(1, "one", "inProgress", 2)),
        executions("is still held", 0, new Execution(1, "one", "finished", 2, true)),
        executions("effects of 3 tasks", 0, execution(1, "one", "finished", 3)),
        executions("sequence one has 0 executions", 0, execution(1, "none", "finished", 2)),
        history("has done [KPI], expected", 1, historyRow(1, 2, "stateExecutionFailed", "PDF", 2)),
        history("has done [KPI, KPI]", 1, historyRow(1, 2, "stateExecution", "KPI", 2)),
        history("a gap in its history", 1, historyRow(1, 3, "stateExecution", "PDF", 2)),
        history("the answer of 0 attempts", 1, historyRow(1, 2, "stateExecution", "PDF", 3)),
        begins("happened twice under one lease", new AttemptStart(2, "KPI", 1, 1)),
        begins("began after its task was done", new AttemptStart(1, "KPI", 2, 2)),
        fires("a slot was fired twice", new Fire("one", "monday", 2, true)),
        fires("nobody has written down", new Fire("two", "monday", 2, false)),
        fires("has 0 fires", new Fire("two", "monday", 3, true)),
        new Plant(
            "3 messages are left in the outbox",
            f ->
                new SequenceFacts(
                    f.executions(), f.history(), f.fires(), 3, f.begins(), f.channels())),
        channel("left with the broker", new QueueStatus("KPI", 1, 0, 0)),
        channel("left with the broker", new QueueStatus("KPI", 0, 0, 1)));
  }

  private static <T> List<T> with(List<T> list, int place, T one) {
    List<T> changed = new ArrayList<>(list);
    changed.set(place, one);
    return changed;
  }

  private static Plant executions(String words, int place, Execution one) {
    return new Plant(
        words,
        f ->
            new SequenceFacts(
                with(f.executions(), place, one),
                f.history(),
                f.fires(),
                0,
                f.begins(),
                f.channels()));
  }

  private static Plant history(String words, int place, HistoryRow one) {
    return new Plant(
        words,
        f ->
            new SequenceFacts(
                f.executions(),
                with(f.history(), place, one),
                f.fires(),
                0,
                f.begins(),
                f.channels()));
  }

  private static Plant begins(String words, AttemptStart one) {
    return new Plant(
        words,
        f ->
            new SequenceFacts(
                f.executions(),
                f.history(),
                f.fires(),
                0,
                Stream.concat(f.begins().stream(), Stream.of(one)).toList(),
                f.channels()));
  }

  private static Plant fires(String words, Fire one) {
    return new Plant(
        words,
        f ->
            new SequenceFacts(
                f.executions(), f.history(), with(f.fires(), 1, one), 0, f.begins(), f.channels()));
  }

  private static Plant channel(String words, QueueStatus one) {
    return new Plant(
        words,
        f ->
            new SequenceFacts(f.executions(), f.history(), f.fires(), 0, f.begins(), List.of(one)));
  }

  @ParameterizedTest
  @MethodSource("plants")
  void aPlantedFaultIsToldOf(Plant plant) {
    assertThat(SequenceChecks.violations(TASKS, WANTED, plant.change.apply(FINE)))
        .anyMatch(violation -> violation.contains(plant.words));
  }

  @Test
  void whatIsFineIsNotToldOf() {
    assertThat(SequenceChecks.violations(TASKS, WANTED, FINE)).isEmpty();
    assertThat(SequenceChecks.violations(TASKS, FINE)).isEmpty();
  }
}
