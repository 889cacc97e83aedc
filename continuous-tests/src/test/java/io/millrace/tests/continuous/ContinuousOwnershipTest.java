package io.millrace.tests.continuous;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.continuous.ContinuousSettings;
import io.millrace.continuous.ContinuousWorkflow;
import io.millrace.continuous.ContinuousWorkflowService;
import io.millrace.continuous.PollResult;
import io.millrace.continuous.Trigger;
import io.millrace.continuous.TriggerContext;
import io.millrace.continuous.Triggers;
import io.millrace.definition.Next;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.instance.OperatorAction;
import io.millrace.lifecycle.EngineSettings;
import io.millrace.store.ContinuousStore.Filter;
import io.millrace.store.ContinuousStore.LogEntry;
import io.millrace.store.ContinuousStore.LogEntryType;
import io.millrace.store.Store;
import io.millrace.store.StoredContinuousWorkflow;
import io.millrace.testing.ManualEngine;
import io.millrace.testing.MemoryStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests of several engines that share workflows, whose clocks advance together. */
class ContinuousOwnershipTest {

  private static final OperatorAction ANN = OperatorAction.by("ann", "because");
  private static final Duration STEP = Duration.ofMillis(100);
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final String REBALANCE = "REBALANCE";

  private final List<ManualEngine> engines = new ArrayList<>();
  private final List<Instant> ticks = new ArrayList<>();
  private @Nullable Store store;

  @AfterEach
  void close() {
    engines.forEach(ManualEngine::close);
  }

  private ManualEngine engine(ContinuousSettings settings, ContinuousWorkflow... workflows) {
    Instant now = engines.isEmpty() ? ManualEngine.START : engines.getFirst().clock().instant();
    ManualEngine engine =
        ManualEngine.with(
            EngineSettings.defaults(),
            clock -> {
              clock.advance(Duration.between(clock.instant(), now));
              if (store == null) {
                store = new MemoryStore(clock);
              }
              return store;
            },
            builder -> builder.continuous(settings).continuous(workflows));
    engines.add(engine);
    return engine;
  }

  private ManualEngine engine(ContinuousWorkflow... workflows) {
    return engine(ContinuousSettings.defaults(), workflows);
  }

  /** Advances all engines together, in small steps. */
  private void pass(Duration time) {
    for (Duration left = time; left.isPositive(); left = left.minus(STEP)) {
      engines.forEach(engine -> engine.advance(STEP));
    }
  }

  private void look() {
    pass(Duration.ofSeconds(8));
  }

  private ContinuousWorkflowService workflows() {
    return engines.getLast().engine().continuous();
  }

  private List<StoredContinuousWorkflow> rows() {
    return workflows().list(Filter.ALL, null, 1_000);
  }

  private static Long id(ManualEngine engine) {
    return engine.engine().executorId();
  }

  private int owned(ManualEngine engine) {
    return (int)
        rows().stream().filter(row -> id(engine).equals(row.ownership().executorId())).count();
  }

  private static ContinuousWorkflow[] idle(int count) {
    WorkflowDefinition events =
        WorkflowDefinition.of("events").start("do", context -> Next.done("done")).build();
    Trigger nothing =
        new Trigger() {
          @Override
          public String describe() {
            return "nothing";
          }

          @Override
          public Source open(TriggerContext scope) {
            return PollResult::untilWoken;
          }
        };
    return IntStream.range(0, count)
        .mapToObj(i ->
            ContinuousWorkflow.of(String.format(Locale.ROOT, "w%03d", i), nothing).runs(events))
        .toArray(ContinuousWorkflow[]::new);
  }

  private int moved() {
    return (int)
        rows().stream()
            .flatMap(row -> workflows().log(row.name(), null, 100).stream())
            .filter(entry -> entry.type() == LogEntryType.RELEASED)
            .filter(entry -> REBALANCE.equals(entry.reason()))
            .count();
  }

  /** The engines scan as often as notifications would make them scan. */
  @Test
  void whatIsEnabledIsSharedByAll() {
    ContinuousSettings alert = ContinuousSettings.defaults().scanInterval(Duration.ofMillis(200));
    List<ManualEngine> three =
        List.of(engine(alert, idle(30)), engine(alert, idle(30)), engine(alert, idle(30)));
    look();
    rows().forEach(row -> workflows().disable(row.name(), ANN));
    look();
    assertThat(rows()).allMatch(row -> row.ownership().executorId() == null);
    rows().forEach(row -> workflows().enable(row.name(), ANN));
    look();
    assertThat(three).extracting(this::owned).containsExactly(10, 10, 10);
  }

  @Test
  void whatNobodyElseCanRunIsTakenBeyondTheShare() {
    ManualEngine one = engine(idle(30));
    ManualEngine other = engine(idle(4));
    look();
    assertThat(owned(one) + owned(other)).isEqualTo(30);
    assertThat(owned(one)).isGreaterThanOrEqualTo(26);
  }

  @Test
  void whatAnEngineHandsOverIsSharedByTheOthers() {
    ManualEngine one = engine(idle(30));
    look();
    assertThat(owned(one)).isEqualTo(30);
    ManualEngine two = engine(idle(30));
    ManualEngine three = engine(idle(30));
    look();
    one.engine().close();
    engines.remove(one);
    look();
    assertThat(owned(two)).isEqualTo(15);
    assertThat(owned(three)).isEqualTo(15);
    assertThat(rows()).allMatch(row -> row.ownership().epoch() == 2);
  }

  @Test
  void anEngineThatJoinsGetsItsShareAFewAMinute() {
    ManualEngine one = engine(idle(100));
    look();
    assertThat(owned(one)).isEqualTo(100);
    ManualEngine joined = engine(idle(100));
    int before = 0;
    for (int minute = 1; minute <= 15; minute++) {
      pass(MINUTE);
      int after = moved();
      assertThat(after - before).as("moved in minute %d", minute).isLessThanOrEqualTo(5);
      before = after;
    }
    assertThat(owned(one) + owned(joined)).isEqualTo(100);
    assertThat(owned(joined)).isBetween(46, 50);
    assertThat(before).isEqualTo(owned(joined));
    pass(MINUTE.multipliedBy(10));
    assertThat(moved()).as("moved when all is fair").isEqualTo(before);
    assertThat(rows())
        .filteredOn(row -> id(joined).equals(row.ownership().executorId()))
        .allMatch(row -> row.run() != null && REBALANCE.equals(row.run().reason()));
  }

  @Test
  void aRebalanceCanBeOff() {
    ContinuousSettings off = ContinuousSettings.defaults().rebalancePercent(0);
    ManualEngine one = engine(off, idle(20));
    look();
    engine(off, idle(20));
    pass(MINUTE.multipliedBy(10));
    assertThat(owned(one)).isEqualTo(20);
    assertThat(moved()).isZero();
  }

  @Test
  void whatNobodyElseCanRunIsNotGivenAwayAgainAndAgain() {
    ManualEngine one = engine(idle(100));
    look();
    engine(idle(0));
    ManualEngine stranger =
        engine(ContinuousWorkflow.of("own", Triggers.webhook()).handler((c, e) -> Next.done("x")));
    pass(MINUTE.multipliedBy(30));
    assertThat(owned(one)).isEqualTo(100);
    assertThat(owned(stranger)).isEqualTo(1);
    assertThat(moved()).isLessThanOrEqualTo(5);
  }

  @Test
  void oneIsMovedAndLosesNoEvent() {
    TestTrigger testTrigger = new TestTrigger();
    List<String> handled = new ArrayList<>();
    ContinuousWorkflow workflow =
        ContinuousWorkflow.of("feed", testTrigger)
            .handler((context, event) -> {
              handled.add(event.payload(String.class));
              return Next.done("handled");
            });
    ManualEngine one = engine(workflow);
    look();
    testTrigger.addEvent("a");
    pass(STEP);
    ManualEngine two = engine(workflow);
    workflows().move("feed", id(two), ANN);
    testTrigger.events.add("b");
    look();
    StoredContinuousWorkflow row = workflows().get("feed");
    assertThat(row.ownership().executorId()).isEqualTo(id(two));
    assertThat(row.run()).isNotNull();
    assertThat(row.run().reason()).isEqualTo("HAND_OVER");
    assertThat(handled).containsExactly("a", "b");
    assertThat(testTrigger.log)
        .containsExactly("open -", "accepted a", "close", "open 1", "accepted b");
    workflows().move("feed", id(one), ANN);
    look();
    assertThat(workflows().get("feed").ownership().executorId()).isEqualTo(id(one));
    assertThat(workflows().downtime("feed", Duration.ofHours(1))).isLessThan(Duration.ofSeconds(6));
  }

  @Test
  void oneThatIsMovedToNobodyGoesOnWhereItWas() {
    TestTrigger testTrigger = new TestTrigger();
    ManualEngine one =
        engine(ContinuousWorkflow.of("feed", testTrigger).handler((c, e) -> Next.done("handled")));
    look();
    workflows().move("feed", 4_711, ANN);
    pass(Duration.ofSeconds(20));
    assertThat(workflows().get("feed").ownership().executorId()).isEqualTo(id(one));
    assertThat(testTrigger.opened).isEqualTo(2);
    assertThat(workflows().log("feed", null, 10))
        .extracting(LogEntry::type)
        .startsWith(LogEntryType.STARTED, LogEntryType.RELEASED, LogEntryType.STARTED);
  }

  @Test
  void aPauseAndARhythmAreCountedFromTheLastEventAfterAHandOver() {
    Duration tenMinutes = Duration.ofMinutes(10);
    List<Instant> exact = new ArrayList<>();
    ContinuousWorkflow[] both = {
      ContinuousWorkflow.of("pause", Triggers.fixedDelay(tenMinutes))
          .handler((context, event) -> {
            ticks.add(engines.getLast().clock().instant());
            return Next.done("ticked");
          }),
      ContinuousWorkflow.of("rhythm", Triggers.fixedRate(tenMinutes))
          .handler((context, event) -> {
            exact.add(engines.getLast().clock().instant());
            return Next.done("ticked");
          })
    };
    ManualEngine one = engine(both);
    pass(Duration.ofMinutes(4));
    assertThat(ticks).hasSize(1);
    engine(both);
    one.engine().close();
    engines.remove(one);
    pass(Duration.ofMinutes(5));
    assertThat(ticks).hasSize(1);
    assertThat(exact).hasSize(1);
    pass(Duration.ofMinutes(2));
    assertThat(ticks).hasSize(2);
    assertThat(exact).hasSize(2);
    assertThat(Duration.between(ticks.get(0), ticks.get(1)))
        .isBetween(tenMinutes, tenMinutes.plus(STEP));
    assertThat(Duration.between(exact.get(0), exact.get(1)))
        .isBetween(tenMinutes.minus(STEP), tenMinutes.plus(STEP));
    workflows().restart("pause", ANN);
    pass(Duration.ofMinutes(8));
    assertThat(ticks).hasSize(2);
    pass(Duration.ofMinutes(2));
    assertThat(ticks).hasSize(3);
  }
}
