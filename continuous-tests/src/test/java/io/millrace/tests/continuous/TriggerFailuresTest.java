package io.millrace.tests.continuous;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.continuous.ContinuousWorkflow;
import io.millrace.store.ContinuousStore.LogEntryType;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tests of triggers that fail. */
class TriggerFailuresTest extends ContinuousFixture {

  private final TestTrigger neighbour = new TestTrigger();

  private ContinuousWorkflow other() {
    return ContinuousWorkflow.of("neighbour", neighbour).handler(handler);
  }

  @Test
  void aTriggerThatThrowsIsTriedWithGrowingPausesAndDisturbsNobody() {
    feed.polling = () -> new IllegalStateException("planned");
    run(workflow(), other());
    neighbour.addEvent("a");
    advance(Duration.ofMinutes(1));
    assertThat(feed.opened).isBetween(4, 7);
    assertThat(feed.closed).isEqualTo(feed.opened);
    assertThat(row().health().failures()).isEqualTo(feed.opened);
    assertThat(row().health().error()).contains("planned");
    assertThat(row().health().crashLoop()).isFalse();
    assertThat(handled).containsExactly("a");
    assertThat(row("neighbour").ownership().epoch()).isEqualTo(1);
  }

  @Test
  void moreThanTenFailuresInTenMinutesAreACrashLoopAndItGoesOn() {
    feed.opening = () -> new IllegalStateException("planned");
    run(workflow());
    advance(Duration.ofMinutes(10));
    assertThat(row().health().crashLoop()).isTrue();
    assertThat(logTypes()).contains(LogEntryType.CRASH_LOOP);
    int before = feed.opened;
    advance(Duration.ofMinutes(10));
    assertThat(feed.opened - before).isBetween(9, 12);
    feed.opening = () -> null;
    feed.addEvent("a");
    advance(Duration.ofMinutes(2));
    assertThat(handled).containsExactly("a");
    assertThat(row().health().crashLoop()).isFalse();
  }

  @Test
  void aRunThatWasHealthyMakesThePausesShortAgain() {
    feed.polling = () -> new IllegalStateException("planned");
    run(workflow());
    advance(Duration.ofMinutes(2));
    assertThat(row().health().failures()).isGreaterThan(4);
    feed.polling = () -> null;
    advance(Duration.ofMinutes(13));
    feed.polling = () -> new IllegalStateException("planned");
    feed.last.wake();
    engine.runUntilIdle();
    assertThat(row().health().failures()).isEqualTo(1);
  }

  @Test
  void aPayloadThatCannotBeWrittenIsAFailureOfTheTrigger() {
    feed.polling = () -> null;
    run(
        ContinuousWorkflow.of(
                NAME,
                new io.millrace.continuous.Trigger() {
                  @Override
                  public String describe() {
                    return "broken";
                  }

                  @Override
                  public Source open(io.millrace.continuous.TriggerContext scope) {
                    return () ->
                        io.millrace.continuous.PollResult.event("x".repeat(20_000_000), "id", null);
                  }
                })
            .handler(handler));
    advance(Duration.ofSeconds(10));
    assertThat(row().health().error()).contains("bytes");
    assertThat(row().health().failures()).isBetween(2, 5);
  }
}
