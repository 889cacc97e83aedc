package io.millrace.tests.continuous;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.continuous.ContinuousSettings;
import io.millrace.continuous.ContinuousWorkflow;
import io.millrace.continuous.Tick;
import io.millrace.continuous.Trigger;
import io.millrace.continuous.Triggers;
import io.millrace.data.PeriodClaimRequest;
import io.millrace.data.PeriodClaimResult;
import io.millrace.data.PeriodEntry;
import io.millrace.data.PeriodId;
import io.millrace.data.PeriodQuery;
import io.millrace.data.PeriodState;
import io.millrace.definition.Next;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.schedule.DayWindow;
import io.millrace.schedule.MisfirePolicy;
import io.millrace.schedule.Schedule;
import io.millrace.store.PeriodLedgerStore;
import io.millrace.testing.ManualEngine;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests that periods without a fire are in the ledger as missed when their windows end. */
class MissedPeriodsTest extends ContinuousFixture {

  private static final String LEDGER = "trigger:" + NAME;

  /**
   * Time after which a missed period is recorded: the grace after the last tick, and some scans of
   * the monitor.
   */
  private static final Duration SOON = Duration.ofMinutes(8);

  /** Beginning and end of an outage, in which the engine tries again and again. */
  private static final Duration EDGE = Duration.ofMinutes(10);

  private static final Duration LEASE = Duration.ofHours(10);

  private final Trigger window =
      Triggers.daily(
          DayWindow.of("09:00", "10:00", Duration.ofMinutes(5)).oncePerWindow(), ZoneOffset.UTC);

  private ContinuousWorkflow daily() {
    return ContinuousWorkflow.of(NAME, window)
        .handler((context, event) -> {
          handled.add(context.now().toString());
          return Next.done("closed");
        });
  }

  /** Runs workflows with longer intervals, because the tests advance by days. */
  @Override
  void run(ContinuousWorkflow... workflows) {
    run(
        ManualEngine.defaultSettings()
            .lease(Duration.ofHours(1), Duration.ofMinutes(10))
            .maxSleep(Duration.ofMinutes(10)),
        ContinuousSettings.defaults().scanInterval(Duration.ofMinutes(2)),
        workflows);
  }

  private void passUntil(String then) {
    advance(Duration.between(engine.clock().instant(), Instant.parse(then)));
  }

  private List<PeriodEntry> missed() {
    return store
        .role(PeriodLedgerStore.class)
        .list(PeriodQuery.of(LEDGER).states(PeriodState.MISSED))
        .items()
        .reversed();
  }

  /** Lets the store be unreachable. The middle of a long outage passes at once. */
  private void down(String from, String to) {
    passUntil(from);
    store.setDown(true);
    Instant end = Instant.parse(to);
    if (engine.clock().instant().plus(EDGE).plus(EDGE).isBefore(end)) {
      advance(EDGE);
      engine.clock().set(end.minus(EDGE));
    }
    passUntil(to);
    store.setDown(false);
  }

  @Test
  void aWindowInWhichNoNodeCouldFireIsMissedAsSoonAsOneCan() {
    run(daily());
    down("2026-01-05T08:30:00Z", "2026-01-05T11:00:00Z");
    advance(SOON);
    assertThat(missed())
        .extracting(periodEntry -> periodEntry.id().period())
        .containsExactly("2026-01-05");
    assertThat(missed().getFirst().reason())
        .isEqualTo("its time passed while no node could fire its trigger");
    assertThat(row().position()).isEqualTo("2026-01-05T09:00:00Z");

    passUntil("2026-01-06T12:00:00Z");
    assertThat(handled).containsExactly("2026-01-06T09:00:00Z");
    assertThat(missed()).hasSize(1);
  }

  @Test
  void aWindowThatPassesWhileTheExecutionBeforeRunsIsMissedAtItsEnd() {
    WorkflowDefinition slow =
        WorkflowDefinition.of("slow")
            .start("first", ctx -> Next.moveAfter("last", Duration.ofHours(60), "much to do"))
            .state("last", ctx -> Next.done("closed"))
            .build();
    run(ContinuousWorkflow.of(NAME, window).runs(slow));
    passUntil("2026-01-06T10:00:00Z");
    assertThat(missed()).isEmpty();
    advance(SOON);
    assertThat(missed())
        .extracting(periodEntry -> periodEntry.id().period())
        .containsExactly("2026-01-06");
    Instant ended = missed().getFirst().ended();
    passUntil("2026-01-07T10:08:00Z");
    assertThat(missed())
        .extracting(periodEntry -> periodEntry.id().period())
        .containsExactly("2026-01-06", "2026-01-07");
    assertThat(missed().getFirst().ended()).isEqualTo(ended);

    passUntil("2026-01-08T09:30:00Z");
    assertThat(row().activity().fires()).isEqualTo(2);
    assertThat(missed()).hasSize(2);
  }

  @Test
  void aWindowWithoutAnyOfItsTicksIsMissedAndNothingFiresAfterIt() {
    run(
        ContinuousWorkflow.of(
                NAME,
                Triggers.daily(
                    DayWindow.of("09:00", "10:00", Duration.ofMinutes(30)), ZoneOffset.UTC))
            .handler((context, event) -> {
              handled.add(event.payload(Tick.class).fireId());
              return Next.done("handled");
            }));
    down("2026-01-05T09:10:00Z", "2026-01-05T10:05:30Z");
    down("2026-01-06T08:30:00Z", "2026-01-06T10:05:30Z");
    advance(SOON);
    assertThat(handled).containsExactly("2026-01-05T09:00");
    assertThat(missed())
        .extracting(periodEntry -> periodEntry.id().period())
        .as("that of the day before had a tick")
        .containsExactly("2026-01-06");

    passUntil("2026-01-07T12:00:00Z");
    assertThat(handled)
        .containsExactly(
            "2026-01-05T09:00", "2026-01-07T09:00", "2026-01-07T09:30", "2026-01-07T10:00");
    assertThat(missed()).hasSize(1);
  }

  @Test
  void aPeriodThatWasDoneByHandIsNotMissed() {
    run(daily());
    down("2026-01-05T08:30:00Z", "2026-01-05T08:31:00Z");
    PeriodId today = new PeriodId(LEDGER, "2026-01-05");
    PeriodClaimResult claim =
        store
            .role(PeriodLedgerStore.class)
            .claim(PeriodClaimRequest.atMostOnce(today, "ann", LEASE), null);
    long token = ((PeriodClaimResult.Claimed) claim).entry().hold().token();
    passUntil("2026-01-05T10:30:00Z");
    store
        .role(PeriodLedgerStore.class)
        .close(
            new PeriodLedgerStore.CloseRequest(
                today, token, PeriodState.Operation.COMPLETE, "by hand"),
            null);
    passUntil("2026-01-06T09:30:00Z");
    assertThat(missed()).isEmpty();
    assertThat(handled).containsExactly("2026-01-06T09:00:00Z");
  }

  @Test
  void whatPassesWhileAWorkflowIsDisabledIsNotMissed() {
    run(daily());
    passUntil("2026-01-05T11:00:00Z");
    workflows().disable(NAME, ANN);
    passUntil("2026-01-08T11:00:00Z");
    workflows().enable(NAME, ANN);
    passUntil("2026-01-09T09:30:00Z");
    assertThat(handled).containsExactly("2026-01-05T09:00:00Z", "2026-01-09T09:00:00Z");
    assertThat(missed()).isEmpty();
  }

  @Test
  void slotsOverTheCatchUpLimitAreMissed() {
    Schedule hourly =
        Schedule.every(Duration.ofHours(1)).misfire(MisfirePolicy.ALL).catchUpLimit(3);
    run(
        ContinuousWorkflow.of(NAME, Triggers.schedule(hourly))
            .handler((context, event) -> {
              handled.add(event.payload(Tick.class).fireId());
              return Next.done("handled");
            }));
    down("2026-01-05T08:30:00Z", "2026-01-05T14:30:00Z");
    advance(SOON);
    assertThat(handled)
        .containsExactly("2026-01-05T12:00:00Z", "2026-01-05T13:00:00Z", "2026-01-05T14:00:00Z");
    assertThat(missed())
        .extracting(periodEntry -> periodEntry.id().period())
        .containsExactly("2026-01-05T09:00:00Z", "2026-01-05T10:00:00Z", "2026-01-05T11:00:00Z");
    assertThat(missed())
        .extracting(PeriodEntry::reason)
        .containsOnly("more than 3 were waiting (catch-up limit)");
  }

  @Test
  void veryManySlotsOverTheLimitAreOneEntryAndTheLastHundred() {
    Schedule often =
        Schedule.every(Duration.ofMinutes(1)).misfire(MisfirePolicy.ALL).catchUpLimit(1);
    run(
        ContinuousWorkflow.of(NAME, Triggers.schedule(often))
            .handler((context, event) -> Next.done("handled")));
    down("2026-01-05T08:30:30Z", "2026-01-05T14:30:30Z");
    advance(Duration.ofMinutes(6));
    List<PeriodEntry> all =
        store
            .role(PeriodLedgerStore.class)
            .list(PeriodQuery.of(LEDGER).states(PeriodState.MISSED).limit(500))
            .items();
    assertThat(all).hasSizeBetween(90, 110);
    assertThat(all.getLast().reason())
        .contains("too many to list them one by one")
        .contains("slots, the first at 2026-01-05T08:3");
  }
}
