package io.millrace.verification.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.PeriodLedgerClient;
import io.millrace.continuous.ContinuationPolicy;
import io.millrace.continuous.ContinuousSettings;
import io.millrace.continuous.ContinuousWorkflow;
import io.millrace.continuous.Etl;
import io.millrace.continuous.Triggers;
import io.millrace.data.PeriodClaimRequest;
import io.millrace.data.PeriodClaimResult;
import io.millrace.data.PeriodId;
import io.millrace.data.PeriodLedger;
import io.millrace.data.PeriodQuery;
import io.millrace.data.PeriodState;
import io.millrace.data.ReducedRecord;
import io.millrace.definition.Next;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.schedule.CalendarPeriod;
import io.millrace.schedule.DayWindow;
import io.millrace.store.StoredContinuousWorkflow;
import io.millrace.testing.ManualEngine;
import io.millrace.testing.MemoryStore;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The programs of {@code docs/continuous-workflows.md}. */
class ContinuousPageTest {

  private static final Duration DAY = Duration.ofDays(1);

  private final List<String> log = new ArrayList<>();
  private final ZoneId zone = ZoneId.of("UTC");

  /** Runs a workflow with a longer scan interval, because the tests advance by days. */
  private static ManualEngine run(ContinuousWorkflow workflow) {
    ContinuousSettings settings =
        ContinuousSettings.defaults().scanInterval(Duration.ofSeconds(30));
    ManualEngine engine =
        ManualEngine.with(
            ManualEngine.defaultSettings(),
            MemoryStore::new,
            builder -> builder.continuous(settings).continuous(workflow));
    engine.runUntilIdle();
    return engine;
  }

  private void ship(Map<?, ?> order) {
    log.add("shipped " + order.get("order"));
  }

  @Test
  void eachEventIsAnExecution() {
    // docs:inbox
    ContinuousWorkflow inbox =
        ContinuousWorkflow.of("inbox", Triggers.webhook())
            .handler((context, event) -> {
              ship(event.payload(Map.class));
              return Next.done("shipped, " + event.start().mode().code());
            });
    // docs:end
    try (ManualEngine engine = run(inbox)) {
      engine.engine().continuous().offer("inbox", "A-17", Map.of("order", "A-17"));
      engine.engine().continuous().offer("inbox", "A-17", Map.of("order", "A-17"));
      engine.advance(Duration.ofMinutes(1));
      assertThat(log).containsExactly("shipped A-17");
    }
  }

  @Test
  void aWindowIsUsedOnceADay() {
    // docs:window
    ContinuousWorkflow close =
        ContinuousWorkflow.of(
                "close",
                Triggers.daily(
                    DayWindow.of("09:00", "10:00", Duration.ofMinutes(5)).oncePerWindow(), zone))
            .handler((context, event) -> {
              log.add("closed");
              return Next.done("closed");
            });
    // docs:end
    try (ManualEngine engine = run(close)) {
      engine.advance(DAY.multipliedBy(3));
      assertThat(log).hasSize(3);
    }
  }

  @Test
  void aDayThatWasDoneByHandIsLeftOut() {
    ContinuousWorkflow close =
        ContinuousWorkflow.of(
                "close",
                Triggers.daily(
                    DayWindow.of("09:00", "10:00", Duration.ofMinutes(5)).oncePerWindow(), zone))
            .handler((context, event) -> {
              log.add(event.payload(Map.class).get("periodKey").toString());
              return Next.done("closed");
            });
    try (ManualEngine engine = run(close)) {
      PeriodLedgerClient ledger = engine.engine().periodLedger();
      LocalDate second = engine.clock().instant().atZone(zone).toLocalDate().plusDays(2);
      PeriodId byHand = new PeriodId("trigger:close", second.toString());
      PeriodClaimResult claim = ledger.claim(PeriodClaimRequest.atMostOnce(byHand, "ann", DAY));
      long token = ((PeriodClaimResult.Claimed) claim).entry().hold().token();
      assertThat(ledger.complete(byHand, token, "by hand")).isTrue();

      engine.advance(DAY.multipliedBy(4));

      assertThat(log).doesNotContain(second.toString()).contains(second.plusDays(1).toString());
      assertThat(ledger.list(PeriodQuery.of("trigger:close")).items())
          .hasSize(log.size() + 1)
          .allMatch(periodEntry -> periodEntry.state() == PeriodState.SUCCEEDED);
    }
  }

  @Test
  void aDayThatIsGivenBackInItsWindowIsStillDone() {
    ContinuousWorkflow close =
        ContinuousWorkflow.of(
                "close",
                Triggers.daily(
                    DayWindow.of("09:00", "10:00", Duration.ofMinutes(5)).oncePerWindow(), zone))
            .handler((context, event) -> {
              log.add(event.payload(Map.class).get("periodKey").toString());
              return Next.done("closed");
            });
    try (ManualEngine engine = run(close)) {
      PeriodLedgerClient ledger = engine.engine().periodLedger();
      LocalDate second = engine.clock().instant().atZone(zone).toLocalDate().plusDays(2);
      PeriodId byHand = new PeriodId("trigger:close", second.toString());
      PeriodClaimResult claim =
          ledger.claim(PeriodClaimRequest.atMostOnce(byHand, "ann", DAY.multipliedBy(9)));
      long token = ((PeriodClaimResult.Claimed) claim).entry().hold().token();
      engine.advance(
          Duration.between(
              engine.clock().instant(), second.atTime(9, 30).atZone(zone).toInstant()));
      assertThat(log).doesNotContain(second.toString());

      assertThat(ledger.release(byHand, token, "not now")).isTrue();
      engine.advance(Duration.ofMinutes(1));

      assertThat(log).endsWith(second.toString());
    }
  }

  @Test
  void theGuardOfTheSourcePage() {
    // docs:guard
    ContinuousWorkflow close =
        ContinuousWorkflow.of(
                "close",
                Triggers.daily(DayWindow.of("09:00", "10:00", Duration.ofMinutes(5)), zone))
            .handler((context, event) -> {
              PeriodLedger.Claim today =
                  context.periodLedger().claim("close", CalendarPeriod.LOCAL_DATE, zone);
              if (!today.shouldRun()) {
                return Next.done("an operator has closed today");
              }
              log.add("closed");
              return Next.done("closed");
            });
    // docs:end
    try (ManualEngine engine = run(close)) {
      engine.advance(DAY.multipliedBy(3));
      assertThat(log).hasSize(3);
      assertThat(engine.engine().continuous().get("close").activity().fires()).isEqualTo(39);
    }
  }

  record Customer(int id, String name) {}

  @Test
  void aLongRunIsCutIntoChunksAndLoadsOnlyWhatChanged() {
    List<Customer> crm = new ArrayList<>();
    crm.add(new Customer(1, "Ann"));
    crm.add(new Customer(2, "Bob"));
    // docs:etl
    WorkflowDefinition customers =
        Etl.of("customers", (context, position) -> new Etl.Batch<>(List.copyOf(crm), null))
            .reduce(reduce -> reduce.key("/id").ignore("/lastSeen"))
            .chunks(100)
            .into((context, chunk) -> {
              chunk.stream()
                  .map(ReducedRecord::value)
                  .forEach(one -> log.add("load " + one.name()));
              return chunk;
            });
    ContinuousWorkflow sync =
        ContinuousWorkflow.of("sync", Triggers.fixedRate(Duration.ofHours(1)))
            .runs(customers)
            .continuation(ContinuationPolicy.after(Duration.ofHours(2)));
    // docs:end
    try (ManualEngine engine = run(sync)) {
      assertThat(log).containsExactly("load Ann", "load Bob");
      crm.set(1, new Customer(2, "Bill"));
      engine.advance(Duration.ofHours(5));
      assertThat(log).containsExactly("load Ann", "load Bob", "load Bill");
      StoredContinuousWorkflow row = engine.engine().continuous().get("sync");
      assertThat(row.run().generation()).isGreaterThan(1);
      assertThat(row.run().mode()).isEqualTo("AutoStart (Continuation)");
    }
  }
}
