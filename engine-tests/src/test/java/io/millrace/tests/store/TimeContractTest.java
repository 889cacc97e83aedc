package io.millrace.tests.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.fixtures.store.StoreContract;
import io.millrace.fixtures.store.StoreFixture;
import io.millrace.instance.Due;
import io.millrace.instance.WorkflowInstance;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.TimeZone;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TimeContractTest extends StoreContract {

  private final TimeZone zone = TimeZone.getDefault();

  /**
   * Sets a default time zone with hours that occur twice and hours that never occur, which must not
   * affect the store.
   */
  TimeContractTest(StoreFixture subject) {
    super(subject);
    TimeZone.setDefault(TimeZone.getTimeZone("America/New_York"));
  }

  @AfterEach
  void resetZone() {
    TimeZone.setDefault(zone);
  }

  @Test
  void anHourThatComesTwiceIsTwoHours() {
    Instant first = Instant.parse("2026-11-01T05:30:00Z");
    Instant second = Instant.parse("2026-11-01T06:30:00Z");
    long a = start(instance().due(new Due.At(first)));
    long b = start(instance().due(new Due.At(second)));

    assertThat(read(a).nextActivation()).isEqualTo(first);
    assertThat(read(b).nextActivation()).isEqualTo(second);
  }

  @Test
  void anHourThatNeverComesIsATimeAllTheSame() {
    Instant never = Instant.parse("2027-03-14T07:30:00Z");

    assertThat(read(start(instance().due(new Due.At(never)))).nextActivation()).isEqualTo(never);
  }

  @Test
  void timersAreRightAcrossAChangeOfTheHour() {
    clock.set(Instant.parse("2026-11-01T05:30:00Z"));
    WorkflowInstance waiting =
        saveAccepted(transitionOf(startAndClaim()).waitFor(PAID, new Due.After(HOUR)));
    assertThat(waiting.position().waitUntil()).isEqualTo(Instant.parse("2026-11-01T06:30:00Z"));

    advance(HOUR.minusMillis(1));
    assertThat(claim(10)).isEmpty();
    advance(Duration.ofMillis(1));
    assertThat(claim(10)).hasSize(1);
  }

  @Test
  void microsecondsAreKept() {
    Instant time = Instant.parse("2030-01-01T00:00:00.123456Z");

    assertThat(read(start(instance().due(new Due.At(time)))).nextActivation()).isEqualTo(time);
    assertThat(read(start(instance().due(new Due.After(Duration.ofNanos(1_000))))).nextActivation())
        .isEqualTo(now().plusNanos(1_000));
  }

  @Test
  void aTimerNeverFiresBeforeItsNanosecond() {
    Instant time = now().plusNanos(1_001);
    long at = start(instance().due(new Due.At(time)));
    long after = start(instance().due(new Due.After(Duration.ofNanos(1_001))));

    assertThat(read(at).nextActivation()).isAfterOrEqualTo(time);
    assertThat(read(after).nextActivation()).isAfterOrEqualTo(time);
  }

  @Test
  void timesBeyondAllMeasureAreTaken() {
    for (Due due :
        List.of(
            new Due.At(Instant.MAX),
            new Due.At(Instant.parse("+12000-01-01T00:00:00Z")),
            new Due.After(Duration.ofSeconds(Long.MAX_VALUE)))) {
      WorkflowInstance far = read(start(instance().due(due)));
      assertThat(far.nextActivation()).isAfter(now().plus(Duration.ofDays(300 * 365)));
    }
    assertThat(claim(10)).isEmpty();

    long past = start(instance().due(new Due.At(Instant.MIN)));
    assertThat(claimOne().id()).isEqualTo(past);
  }

  @Test
  void aClockThatGoesBackStopsNothing() {
    WorkflowInstance held = startAndClaim();
    clock.set(now().minus(HOUR));
    WorkflowInstance after = saveAccepted(transitionOf(held).due(Due.NOW));

    assertThat(after.timing().modified()).isEqualTo(now());
    assertThat(claimOne().id()).isEqualTo(held.id());
  }
}
