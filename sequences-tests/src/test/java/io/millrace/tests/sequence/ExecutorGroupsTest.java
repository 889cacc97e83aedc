package io.millrace.tests.sequence;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.EngineBuilder;
import io.millrace.instance.InstanceQuery;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.OperatorAction;
import io.millrace.instance.WorkflowInstance;
import io.millrace.schedule.Frequency;
import io.millrace.schedule.Schedule;
import io.millrace.sequence.SequenceService;
import io.millrace.sequence.SequenceSettings;
import io.millrace.sequence.SequenceStatus;
import io.millrace.sequence.Task;
import io.millrace.sequence.TaskSequence;
import io.millrace.testing.ManualEngine;
import io.millrace.testing.SettableClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests of two engines of different executor groups on one store, of which only {@code a} has the
 * task.
 */
@ParameterizedClass(name = "{0}")
@EnumSource
class ExecutorGroupsTest {

  private static final String ID = "Report_1";
  private static final OperatorAction BY_ANN = OperatorAction.by("ann", "because");
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final List<SettableClock> clocks = new ArrayList<>();
  private final EngineStoreKind.OpenedStore openedStore;
  private ManualEngine a;
  private ManualEngine b;
  private boolean broken;

  ExecutorGroupsTest(EngineStoreKind kind) {
    this.openedStore = kind.open(this::now);
  }

  /** Returns the later time of both engines. */
  private Instant now() {
    return clocks.stream()
        .map(SettableClock::instant)
        .max(Comparator.naturalOrder())
        .orElse(ManualEngine.START);
  }

  private ManualEngine engine(String group, UnaryOperator<EngineBuilder> more) {
    return ManualEngine.with(
        ManualEngine.defaultSettings().executorGroup(group),
        clock -> {
          clocks.add(clock);
          return openedStore.store();
        },
        more);
  }

  private void begin(Schedule schedule) {
    a =
        engine(
            "a",
            builder ->
                builder
                    .sequences(SequenceSettings.defaults().maxTaskRetries(0))
                    .task(
                        Task.of("KPI", "Report"),
                        task -> {
                          if (broken) {
                            throw new IllegalStateException("planned");
                          }
                        }));
    a.engine().sequences().add(sequence(schedule));
    b = engine("b", builder -> builder.sequences(SequenceSettings.defaults()));
  }

  private static TaskSequence sequence(Schedule schedule) {
    return TaskSequence.of(ID, "Report", schedule).task("KPI");
  }

  private SequenceService atB() {
    return b.engine().sequences();
  }

  /** Advances both engines, first the one without the task. */
  private void pass(Duration time) {
    b.advance(time);
    a.advance(time);
  }

  private List<WorkflowInstance> executions() {
    return a.client().search(InstanceQuery.all().type("Report")).items();
  }

  @AfterEach
  void close() {
    for (ManualEngine engine : List.of(a, b)) {
      engine.close();
    }
    openedStore.close();
  }

  @Test
  void aSequenceIsFiredByTheGroupThatHasIt() {
    begin(Schedule.every(SECOND));

    for (int i = 0; i < 10; i++) {
      pass(SECOND);
    }

    assertThat(executions())
        .hasSizeGreaterThanOrEqualTo(9)
        .allMatch(one -> one.origin().executorGroup().equals("a"))
        .allMatch(one -> one.status() == InstanceStatus.FINISHED);
    assertThat(atB().get(ID).executorGroup()).isEqualTo("a");
  }

  @Test
  void anyNodeHasItRunByItsGroup() {
    begin(Schedule.of(Frequency.DAILY));

    atB().run(ID, Map.of(), BY_ANN);
    pass(SECOND);
    atB().requestRun(ID, BY_ANN);
    pass(Duration.ofMinutes(2));
    Instant from = Instant.parse("2026-01-01T00:00:00Z");
    atB().backfill(ID, from, from.plus(Duration.ofDays(1)), BY_ANN);
    pass(Duration.ofMinutes(2));
    broken = true;
    atB().run(ID, Map.of(), BY_ANN);
    pass(Duration.ofMinutes(2));
    assertThat(atB().get(ID).status()).isEqualTo(SequenceStatus.ABORTED);
    broken = false;
    atB().restart(ID, BY_ANN);
    pass(Duration.ofMinutes(2));
    atB().update(sequence(Schedule.of(Frequency.DAILY)).parameter("x", 1), null);
    atB().pause(ID, BY_ANN);
    atB().resumeSchedule(ID);

    assertThat(executions())
        .hasSize(5)
        .allMatch(one -> one.origin().executorGroup().equals("a"))
        .filteredOn(one -> one.status() != InstanceStatus.FINISHED)
        .singleElement()
        .matches(one -> one.status() == InstanceStatus.CANCELLED);
    assertThat(atB().get(ID).status()).isEqualTo(SequenceStatus.COMPLETED);
    assertThat(atB().get(ID).executorGroup()).isEqualTo("a");
  }

  @Test
  void theGroupThatRegistersASequenceLastRunsIt() {
    begin(Schedule.of(Frequency.DAILY));

    atB().save(sequence(Schedule.of(Frequency.DAILY)));

    assertThat(a.engine().sequences().get(ID).executorGroup()).isEqualTo("b");
    long execution = a.engine().sequences().run(ID, Map.of(), BY_ANN);
    assertThat(a.client().get(execution).origin().executorGroup()).isEqualTo("b");
    a.engine().sequences().save(sequence(Schedule.of(Frequency.DAILY)));
    assertThat(atB().get(ID).executorGroup()).isEqualTo("a");
  }
}
