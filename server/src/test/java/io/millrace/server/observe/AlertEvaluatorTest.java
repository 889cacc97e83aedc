package io.millrace.server.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Engine;
import io.millrace.data.PeriodId;
import io.millrace.definition.Next;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.instance.ExecutorInfo;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.StartRequest;
import io.millrace.lifecycle.EngineSettings.Retention;
import io.millrace.server.LongLease;
import io.millrace.server.Patience;
import io.millrace.server.config.ObservabilityConfig;
import io.millrace.server.config.ObservabilityConfig.AlertCondition;
import io.millrace.store.ClaimRequest;
import io.millrace.store.ContinuousStore;
import io.millrace.store.PeriodLedgerStore;
import io.millrace.store.Store;
import io.millrace.store.StoredContinuousWorkflow;
import io.millrace.store.sql.SchemaMode;
import io.millrace.store.sql.SqlStore;
import io.millrace.testing.MemoryStore;
import io.millrace.testing.SettableClock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests the findings of rules in a store with a settable clock. */
class AlertEvaluatorTest {

  private static final Duration OVER = Duration.ofMinutes(5);
  private static final Retention RETENTION =
      new Retention(Duration.ofDays(1), Duration.ofDays(2), Duration.ofDays(3), null);
  private static final Duration LEASE = Duration.ofHours(1);

  private final SettableClock clock = SettableClock.at(Instant.parse("2026-01-05T08:00:00Z"));
  private final JdbcDataSource database = new JdbcDataSource();
  @AutoClose private Store store;
  private AlertEvaluator alertEvaluator;

  /** The kind of store. */
  enum Kind {
    MEMORY,
    H2
  }

  private void open(Kind kind) {
    database.setURL("jdbc:h2:mem:findings-" + System.identityHashCode(this) + ";DB_CLOSE_DELAY=-1");
    store =
        switch (kind) {
          case MEMORY -> new MemoryStore(clock);
          case H2 -> SqlStore.open(database, new SqlStore.Options(SchemaMode.CREATE, clock, false));
        };
    alertEvaluator = new AlertEvaluator(store, "millrace", RETENTION);
  }

  @ParameterizedTest
  @EnumSource
  void aHandlerThatRunsLongIsStuck(Kind kind) {
    open(kind);
    start("order");
    claim();
    assertThat(of(AlertCondition.STUCK).count()).isZero();
    clock.advance(OVER.plusSeconds(1));
    assertThat(of(AlertCondition.STUCK).count()).isEqualTo(1);
    assertThat(of(AlertCondition.STUCK).detail())
        .isEqualTo("1 handler running for over 5m: [order]");
  }

  @ParameterizedTest
  @EnumSource
  void dueWorkThatNobodyTakesIsOld(Kind kind) {
    open(kind);
    assertThat(of(AlertCondition.OLD_WAITING).count()).isZero();
    start("order");
    assertThat(of(AlertCondition.OLD_WAITING).count()).isZero();
    clock.advance(OVER.plusSeconds(1));
    assertThat(of(AlertCondition.OLD_WAITING).count()).isEqualTo(1);
    assertThat(of(AlertCondition.OLD_WAITING).detail())
        .isEqualTo("A due instance has been waiting for 5m1s");
    claim();
    assertThat(of(AlertCondition.OLD_WAITING).count()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void aContinuousWorkflowThatNobodyRunsIsDown(Kind kind) {
    open(kind);
    store
        .role(ContinuousStore.class)
        .register(
            List.of(
                new ContinuousStore.Registration(
                    new StoredContinuousWorkflow.Identity("inbox", "millrace", "mail", "{}"), true),
                new ContinuousStore.Registration(
                    new StoredContinuousWorkflow.Identity("disabled", "millrace", "mail", "{}"),
                    false),
                new ContinuousStore.Registration(
                    new StoredContinuousWorkflow.Identity("theirs", "other", "mail", "{}"), true)));
    assertThat(of(AlertCondition.CONTINUOUS_DOWN).count()).isZero();
    clock.advance(OVER.plusSeconds(1));
    assertThat(of(AlertCondition.CONTINUOUS_DOWN).count()).isEqualTo(1);
    assertThat(of(AlertCondition.CONTINUOUS_DOWN).detail())
        .isEqualTo("1 continuous workflow failing again and again, or down for over 5m: [inbox]");
    store.role(ContinuousStore.class).claim(register(), List.of("inbox"));
    assertThat(of(AlertCondition.CONTINUOUS_DOWN).count()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void aPeriodThatWasMissedIsFoundForAWhile(Kind kind) {
    open(kind);
    store
        .role(ContinuousStore.class)
        .register(
            List.of(
                new ContinuousStore.Registration(
                    new StoredContinuousWorkflow.Identity("close", "millrace", "books", "{}"),
                    true),
                new ContinuousStore.Registration(
                    new StoredContinuousWorkflow.Identity("theirs", "other", "books", "{}"),
                    true)));
    assertThat(of(AlertCondition.PERIOD_MISSED).count()).isZero();
    store
        .role(PeriodLedgerStore.class)
        .recordMissed(
            List.of(
                new PeriodId("trigger:close", "2026-01-05"),
                new PeriodId("trigger:theirs", "2026-01-05")),
            "late");
    clock.advance(OVER.minusSeconds(1));
    assertThat(of(AlertCondition.PERIOD_MISSED))
        .isEqualTo(
            new AlertEvaluator.Finding(1, "1 period missed within 5m: [trigger:close@2026-01-05]"));
    assertThat(alertEvaluator.evaluate(rule(AlertCondition.PERIOD_MISSED, "books")).count())
        .isEqualTo(1);
    assertThat(alertEvaluator.evaluate(rule(AlertCondition.PERIOD_MISSED, "mail")).count())
        .isZero();
    clock.advance(Duration.ofSeconds(2));
    assertThat(of(AlertCondition.PERIOD_MISSED).count()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void retentionThatIsBehindIsFound(Kind kind) {
    open(kind);
    fail("order");
    clock.advance(Duration.ofDays(1).plus(OVER));
    assertThat(of(AlertCondition.RETENTION_BEHIND))
        .isEqualTo(new AlertEvaluator.Finding(0, "No ended instance is overdue for over 5m"));

    clock.advance(Duration.ofMinutes(1));
    assertThat(of(AlertCondition.RETENTION_BEHIND).count()).isEqualTo(1);
    assertThat(of(AlertCondition.RETENTION_BEHIND).detail())
        .matches("Retention is behind: instance \\d+ should have been archived 6 minutes ago");

    assertThat(store.retention().archive(Duration.ofDays(1), 10)).isEqualTo(1);
    assertThat(of(AlertCondition.RETENTION_BEHIND).count()).isZero();
    clock.advance(Duration.ofDays(2));
    assertThat(of(AlertCondition.RETENTION_BEHIND).detail())
        .matches(
            "Retention is behind: instance \\d+ should have been deleted from the archive 6 minutes"
                + " ago");
  }

  @ParameterizedTest
  @EnumSource
  void openWorkWithoutALivingExecutorThatKnowsItIsFound(Kind kind) {
    open(kind);
    start("order");
    start("order");
    assertThat(of(AlertCondition.NO_EXECUTOR).count()).isEqualTo(2);
    assertThat(of(AlertCondition.NO_EXECUTOR).detail())
        .isEqualTo("2 open instances that no living executor can run: [order version 1]");

    long executor = register();
    assertThat(of(AlertCondition.NO_EXECUTOR).count()).isZero();
    clock.advance(LEASE.plusSeconds(1));
    assertThat(of(AlertCondition.NO_EXECUTOR).count()).isEqualTo(2);
    store.executors().renew(executor, LEASE, ExecutorInfo.Load.NONE);
    assertThat(of(AlertCondition.NO_EXECUTOR).count()).isZero();
    store.executors().markStopped(executor);
    assertThat(of(AlertCondition.NO_EXECUTOR).count()).isEqualTo(2);
  }

  @ParameterizedTest
  @EnumSource
  void failuresCountForAWhile(Kind kind) {
    open(kind);
    assertThat(of(AlertCondition.FAILED).count()).isZero();
    fail("order");
    fail("order");
    assertThat(of(AlertCondition.FAILED).count()).isEqualTo(2);
    assertThat(of(AlertCondition.FAILED).detail())
        .isEqualTo("2 instances failed within 5m: [order]");
    assertThat(alertEvaluator.evaluate(rule(AlertCondition.FAILED, "report")).count()).isZero();
    clock.advance(OVER.plusSeconds(1));
    assertThat(of(AlertCondition.FAILED).count()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void failedAlertsAreNoFailures(Kind kind) {
    open(kind);
    fail(AlertWorkflow.TYPE);
    assertThat(of(AlertCondition.FAILED).count()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void onlyTheTypeOfTheRuleCounts(Kind kind) {
    open(kind);
    start("order");
    start("report");
    assertThat(alertEvaluator.evaluate(rule(AlertCondition.NO_EXECUTOR, "report")).count())
        .isEqualTo(1);
    claim();
    clock.advance(OVER.plusSeconds(1));
    assertThat(alertEvaluator.evaluate(rule(AlertCondition.STUCK, "report")).count()).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource
  void otherGroupsAreNoConcern(Kind kind) {
    open(kind);
    fail("order");
    start("order");
    alertEvaluator = new AlertEvaluator(store, "billing", RETENTION);
    assertThat(of(AlertCondition.NO_EXECUTOR).count()).isZero();
    assertThat(of(AlertCondition.NO_EXECUTOR).detail()).doesNotContain("order");
    assertThat(of(AlertCondition.FAILED).count()).isZero();
    claim();
    clock.advance(OVER.plusSeconds(1));
    assertThat(of(AlertCondition.STUCK).count()).isZero();
  }

  @Test
  void aThresholdAboveAPageCanBeReached() {
    open(Kind.MEMORY);
    WorkflowDefinition definition =
        WorkflowDefinition.of("order").start("work", ctx -> Next.done("worked")).build();
    try (Engine engine =
        Engine.builder()
            .store(store)
            .workflows(definition)
            .settings(s -> s.runsInstances(false))
            .start()) {
      for (int i = 0; i < 1200; i++) {
        engine.client().start(StartRequest.of("order"));
      }
    }
    claim(1200);
    clock.advance(OVER.plusSeconds(1));

    assertThat(alertEvaluator.evaluate(rule(AlertCondition.STUCK, null, 1100)).count())
        .isEqualTo(1100);
    assertThat(of(AlertCondition.STUCK).detail())
        .isEqualTo("1000 or more handlers running for over 5m: [order]");
  }

  private AlertEvaluator.Finding of(AlertCondition when) {
    return alertEvaluator.evaluate(rule(when, null));
  }

  private static ObservabilityConfig.Alert rule(AlertCondition when, String type) {
    return rule(when, type, 1);
  }

  private static ObservabilityConfig.Alert rule(AlertCondition when, String type, int threshold) {
    return new ObservabilityConfig.Alert(
        "rule",
        when,
        type,
        threshold,
        OVER,
        new ObservabilityConfig.Target(null, null, List.of()),
        OVER);
  }

  private void start(String type) {
    WorkflowDefinition definition =
        WorkflowDefinition.of(type).start("work", ctx -> Next.done("worked")).build();
    try (Engine engine =
        Engine.builder()
            .store(store)
            .workflows(definition)
            .settings(s -> s.runsInstances(false))
            .start()) {
      engine.client().start(StartRequest.of(type));
    }
  }

  /** Runs one instance until it fails, on the machine's clock but in the store's time. */
  private void fail(String type) {
    WorkflowDefinition definition =
        WorkflowDefinition.of(type).start("work", ctx -> Next.fail("no stock")).build();
    try (Engine engine =
        Engine.builder().store(store).workflows(definition).settings(LongLease::of).start()) {
      long id = engine.client().start(StartRequest.of(type)).id();
      assertThat(engine.client().await(id, Patience.LIMIT).status())
          .isEqualTo(InstanceStatus.FAILED);
    }
  }

  private long register() {
    return store
        .executors()
        .register(new ExecutorInfo.Identity("host", 1, "millrace", definitionIds(), "1.0"), LEASE);
  }

  private List<Integer> definitionIds() {
    return store.definitions().list().stream().map(stored -> stored.id()).toList();
  }

  private void claim() {
    claim(100);
  }

  private void claim(int most) {
    assertThat(
            store
                .instances()
                .claim(new ClaimRequest(register(), "millrace", definitionIds(), most))
                .claimed())
        .isNotEmpty();
  }
}
