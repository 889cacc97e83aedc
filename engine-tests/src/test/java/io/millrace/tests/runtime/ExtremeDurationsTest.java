package io.millrace.tests.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.millrace.Engine;
import io.millrace.EngineBuilder;
import io.millrace.continuous.ContinuationPolicy;
import io.millrace.continuous.ContinuousSettings;
import io.millrace.continuous.ContinuousWorkflow;
import io.millrace.continuous.RecycleSettings;
import io.millrace.continuous.RestartPolicy;
import io.millrace.continuous.Trigger;
import io.millrace.continuous.Triggers;
import io.millrace.data.KeyContent;
import io.millrace.data.KeyQuery;
import io.millrace.data.PeriodClaimRequest;
import io.millrace.data.PeriodId;
import io.millrace.definition.Next;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.event.EngineEvent;
import io.millrace.fixtures.EventRecorder;
import io.millrace.fixtures.TestDatabase;
import io.millrace.instance.AuditQuery;
import io.millrace.instance.DrainRequest;
import io.millrace.instance.InstanceQuery;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.OperatorAction;
import io.millrace.instance.StartRequest;
import io.millrace.lifecycle.EngineSettings;
import io.millrace.lifecycle.EngineState;
import io.millrace.retry.RetryPolicy;
import io.millrace.store.RowReader;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that durations and times of any size are limited to values that can be waited for and
 * stored.
 */
@Timeout(300)
@Tag("races")
class ExtremeDurationsTest {

  enum Kind {
    POSTGRES,
    H2
  }

  private static final Duration FOREVER = ChronoUnit.FOREVER.getDuration();

  private static final List<Duration> HUGE =
      List.of(
          FOREVER,
          Duration.ofSeconds(Long.MAX_VALUE),
          Duration.ofDays(293 * 366L),
          Duration.ofDays(365_000));

  private static final OperatorAction ACTION = OperatorAction.by("tester", "huge times");

  private static Map<String, BiFunction<EngineBuilder, Duration, EngineBuilder>> settings() {
    Map<String, BiFunction<EngineBuilder, Duration, EngineBuilder>> all = new TreeMap<>();
    all.put("drain grace", (b, t) -> b.settings(s -> s.drainGrace(t)));
    all.put("dispatcher sleep", (b, t) -> b.settings(s -> s.maxSleep(t)));
    all.put("channel patience", (b, t) -> b.settings(s -> s.channelPatience(t)));
    all.put("lease", (b, t) -> b.settings(s -> s.lease(t, Duration.ofSeconds(1))));
    all.put("lease and heartbeat", (b, t) -> b.settings(s -> s.lease(t, t.dividedBy(2))));
    all.put("stuck after", (b, t) -> b.settings(s -> s.stuckAfter(t)));
    all.put("busy loop delay", (b, t) -> b.settings(s -> s.busyLoopGuard(5, t)));
    all.put("start timeout", (b, t) -> b.settings(s -> s.startTimeout(t)));
    all.put("retention", (b, t) -> b.settings(s -> s.retention(retention(t))));
    all.put("warm-up", EngineBuilder::warmUp);
    all.put("recycle age", (b, t) -> b.recycle(recycle().maxAge(t)));
    all.put("recycle interval", (b, t) -> b.recycle(recycle().memory(memory(t))));
    all.put("look", (b, t) -> b.continuous(ContinuousSettings.defaults().scanInterval(t)));
    all.put("polls", (b, t) -> b.continuous(ContinuousSettings.defaults().polls(polls(t))));
    all.put("continuation", (b, t) -> b.continuous(continuous(t).continuation(age(t))));
    all.put("crash loop", (b, t) -> b.continuous(continuous(t).restart(restart(t))));
    all.put("rows", (b, t) -> b.continuous(continuous(t)));
    all.put("folder", (b, t) -> b.continuous(continuous(folder(t))));
    return all;
  }

  private static EngineSettings.Retention retention(Duration time) {
    return new EngineSettings.Retention(time, time, time, time);
  }

  private static RecycleSettings recycle() {
    return RecycleSettings.daily(ZoneOffset.UTC);
  }

  private static RecycleSettings.HeapLimit memory(Duration time) {
    return new RecycleSettings.HeapLimit(1, 1, time);
  }

  private static ContinuousSettings.PollSettings polls(Duration time) {
    return new ContinuousSettings.PollSettings(1, time);
  }

  private static ContinuousWorkflow continuous(Duration time) {
    return continuous(rows(time));
  }

  private static ContinuousWorkflow continuous(Trigger trigger) {
    return ContinuousWorkflow.of("rows", trigger).handler((ctx, event) -> Next.done("done"));
  }

  private static ContinuationPolicy age(Duration time) {
    return new ContinuationPolicy(true, time, time);
  }

  private static RestartPolicy restart(Duration time) {
    return new RestartPolicy(RetryPolicy.never(), time, new RestartPolicy.CrashLoop(1, time));
  }

  private static Trigger rows(Duration time) {
    return Triggers.rows(
        new RowReader() {
          @Override
          public String describe() {
            return "no rows";
          }

          @Override
          public List<Row> read(String after, int limit) {
            return List.of();
          }
        },
        time,
        1);
  }

  private static Trigger folder(Duration time) {
    return Triggers.folder(Path.of("target")).glob("*.never").every(time).settle(time);
  }

  private static WorkflowDefinition workflow(String type, Duration time) {
    return WorkflowDefinition.of(type)
        .start("a", ctx -> next(ctx.input(String.class), time))
        .state("b", ctx -> Next.done("done"))
        .await("c", "signal", time, (ctx, signal) -> Next.done("done"))
        .retry(RetryPolicy.never().maxAttempts(5).maxElapsed(time))
        .timeout("a", time)
        .timeout("b", time)
        .build();
  }

  private static Next next(String answer, Duration time) {
    return switch (answer) {
      case "moveAfter" -> Next.moveAfter("b", time, "later");
      case "moveAt" -> Next.moveAt("b", Instant.MAX, "later");
      case "moveAtPast" -> Next.moveAt("b", Instant.MIN, "at once");
      case "retryAfter" -> Next.retryAfter(time, "later");
      case "retry" -> Next.retry(time, "later", new IllegalStateException("planned"));
      case "signal" -> Next.waitForSignal("b", "signal", time, "later");
      case "await" -> Next.moveTo("c", "later");
      default -> Next.moveTo("b", "at once");
    };
  }

  private static TestDatabase open(Kind kind) {
    return kind == Kind.POSTGRES ? TestDatabase.postgres() : TestDatabase.h2();
  }

  private static Stream<String> settingNames() {
    return settings().keySet().stream();
  }

  @ParameterizedTest
  @MethodSource("settingNames")
  void anEngineRunsAndClosesWithAHugeSetting(String setting) {
    for (Duration time : HUGE) {
      try (TestDatabase database = TestDatabase.h2()) {
        EngineBuilder builder =
            Engine.builder().dataSource(database.pool()).workflows(workflow("huge", time));
        Engine engine = settings().get(setting).apply(builder, time).start();
        try (engine) {
          long id = engine.client().start(StartRequest.of("huge", "moveTo")).id();
          assertThat(engine.client().await(id, FOREVER).status())
              .isEqualTo(InstanceStatus.FINISHED);
        }
        assertThat(engine.state()).as("%s %s", setting, time).isEqualTo(EngineState.CLOSED);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void whatHandlersAnswerIsStored(Kind kind) {
    try (TestDatabase database = open(kind)) {
      EventRecorder events = new EventRecorder();
      EngineBuilder builder = Engine.builder().dataSource(database.pool()).listener(events);
      for (int i = 0; i < HUGE.size(); i++) {
        builder.workflows(workflow("huge" + i, HUGE.get(i)));
      }
      try (Engine engine = builder.start()) {
        for (int i = 0; i < HUGE.size(); i++) {
          for (String answer :
              List.of("moveAfter", "moveAt", "retryAfter", "retry", "signal", "await")) {
            long id = engine.client().start(StartRequest.of("huge" + i, answer)).id();
            events.await(EngineEvent.TransitionSaved.class, 1, e -> e.instanceId() == id);
            assertThat(engine.client().get(id).status())
                .as("%s %s", answer, HUGE.get(i))
                .isEqualTo(InstanceStatus.IN_PROGRESS);
          }
          long past = engine.client().start(StartRequest.of("huge" + i, "moveAtPast")).id();
          assertThat(engine.client().await(past, FOREVER).status())
              .isEqualTo(InstanceStatus.FINISHED);
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void callsWithHugeTimesAreAccepted(Kind kind) {
    try (TestDatabase database = open(kind);
        Engine engine =
            Engine.builder()
                .dataSource(database.pool())
                .workflows(workflow("huge", FOREVER))
                .continuous(continuous(FOREVER))
                .start()) {
      SoftAssertions all = new SoftAssertions();
      calls()
          .forEach((name, call) ->
              HUGE.forEach(time ->
                  all.assertThatCode(() -> call.accept(engine, time))
                      .as("%s %s", name, time)
                      .doesNotThrowAnyException()));
      all.assertAll();
    }
  }

  private static Map<String, BiConsumer<Engine, Duration>> calls() {
    Map<String, BiConsumer<Engine, Duration>> all = new TreeMap<>();
    StartRequest request = StartRequest.of("huge", "moveTo");
    all.put("start after", (e, t) -> e.client().start(request.after(t)));
    all.put("start at", (e, t) -> e.client().start(request.at(Instant.MAX)));
    all.put("start at the beginning", (e, t) -> e.client().start(request.at(Instant.MIN)));
    all.put("await", (e, t) -> e.client().await(e.client().start(request).id(), t));
    all.put("await in the past", (e, t) -> await(e, t.negated()));
    all.put("key", (e, t) -> e.keyValues().set("g", "k", KeyContent.of("v").expiresAfter(t)));
    all.put("claim", (e, t) -> claim(e, PeriodClaimRequest.atLeastOnce(fire(t), "me", t)));
    all.put("reserve", (e, t) -> reduce(e, t));
    all.put("retention", (e, t) -> e.reduce("kept").key("/id").retention(t).reduce(records()));
    all.put("instances", (e, t) -> e.client().search(ranges()));
    all.put("audit", (e, t) -> e.admin().audit(AuditQuery.all().between(MIN, MAX)));
    all.put("values", (e, t) -> e.keyValues().list(KeyQuery.of("g").between(MIN, MAX)));
    all.put("downtime", (e, t) -> e.continuous().downtime("rows", t));
    all.put("fires", (e, t) -> e.sequences().slotRecordsBetween(MIN, MAX, 10));
    return all;
  }

  private static final Instant MIN = Instant.MIN;
  private static final Instant MAX = Instant.MAX;

  private static void await(Engine engine, Duration time) {
    engine.client().await(engine.client().start(StartRequest.of("huge", "moveAt")).id(), time);
  }

  private static PeriodId fire(Duration time) {
    return new PeriodId("schedule", time.toString());
  }

  private static void claim(Engine engine, PeriodClaimRequest request) {
    engine.periodLedger().claim(request);
  }

  private static void reduce(Engine engine, Duration time) {
    engine.reduce("reserved " + time).key("/id").reserve(time).reduce(records());
  }

  private static List<Map<String, Integer>> records() {
    return List.of(Map.of("id", 1));
  }

  private static InstanceQuery ranges() {
    return InstanceQuery.all()
        .createdBetween(MIN, MAX)
        .modifiedBetween(MIN, MAX)
        .endedBetween(MIN, MAX);
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void anExecutorDrainsWithinAHugeGrace(Kind kind) throws InterruptedException {
    for (Duration time : HUGE) {
      CountDownLatch retired = new CountDownLatch(1);
      try (TestDatabase database = open(kind);
          HikariDataSource second = database.open(4);
          Engine engine =
              Engine.builder()
                  .dataSource(database.pool())
                  .onExecutorStopped(reason -> retired.countDown())
                  .start();
          Engine other = Engine.builder().dataSource(second).start()) {
        other.admin().drain(engine.executorId(), DrainRequest.within(time), ACTION);
        assertThat(retired.await(60, TimeUnit.SECONDS)).isTrue();
        other.drain(time);
        assertThat(other.state()).isEqualTo(EngineState.CLOSED);
      }
    }
  }
}
