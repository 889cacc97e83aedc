package io.millrace.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.instance.ChildCounts;
import io.millrace.instance.InstanceDetails;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.InstanceTimestamps;
import io.millrace.instance.Lease;
import io.millrace.instance.Origin;
import io.millrace.instance.Position;
import io.millrace.instance.WorkflowInstance;
import io.millrace.store.ClaimResult;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClaimCursorTest {

  private static final Instant NOW = Instant.parse("2026-01-05T08:00:00Z");
  private static final Instant SETTLED = NOW.minusSeconds(1);
  private static final long SLOW = Duration.ofMillis(200).toNanos();
  private static final List<Instant> FULL_SCAN = List.of();

  private final ClaimCursor claimCursor = new ClaimCursor(0);

  private static ClaimResult claimed(ClaimResult.Claimed... claimed) {
    return new ClaimResult(NOW, List.of(claimed), null);
  }

  private static ClaimResult.Claimed due(int priority, Instant due) {
    WorkflowInstance instance =
        new WorkflowInstance(
            1,
            new Origin("t", 1, "g", priority, null, null, null),
            new Position("s", InstanceStatus.CREATED, null, 0, due, null, null),
            new Lease(1L, 1, 0, 1, 0),
            new InstanceTimestamps(NOW, NOW, NOW, null),
            new ChildCounts(0, 0, 0),
            new InstanceDetails(0, 0, -1, null, null));
    return new ClaimResult.Claimed(instance, ClaimResult.ClaimedData.EMPTY);
  }

  @Test
  void whileScansAreQuickEachIsFull() {
    for (long nanos = 0; nanos < 1_000_000_000; nanos += 40_000_000) {
      assertThat(claimCursor.dueFrom(nanos)).isEmpty();
      claimCursor.record(FULL_SCAN, claimed(), false, nanos, nanos + 40_000_000);
    }
  }

  @Test
  void afterASlowScanThatFoundAllTheNextOnesStartShortlyBeforeIt() {
    claimCursor.record(FULL_SCAN, claimed(), false, 0, SLOW);

    assertThat(claimCursor.dueFrom(SLOW)).hasSize(10).containsOnly(SETTLED);
  }

  @Test
  void aSlowScanThatReachedItsLimitIsContinuedWhereItStopped() {
    Instant last = NOW.minusSeconds(600);
    ClaimResult limited =
        claimed(due(7, NOW.minusSeconds(5)), due(4, NOW.minusSeconds(900)), due(4, last));

    claimCursor.record(FULL_SCAN, limited, true, 0, SLOW);

    List<Instant> from = claimCursor.dueFrom(SLOW);
    assertThat(from.subList(0, 4)).containsOnly(Instant.EPOCH);
    assertThat(from.get(4)).isEqualTo(last);
    assertThat(from.subList(5, 10)).containsOnly(SETTLED);
  }

  @Test
  void instancesDueSinceTheLastSecondAreAlwaysScannedAgain() {
    claimCursor.record(FULL_SCAN, claimed(due(4, NOW)), true, 0, SLOW);

    assertThat(claimCursor.dueFrom(SLOW).get(4)).isEqualTo(SETTLED);
  }

  @Test
  void laterScansMoveItOnAndNeverEndThePause() {
    claimCursor.record(FULL_SCAN, claimed(due(4, NOW.minusSeconds(600))), true, 0, SLOW);
    List<Instant> from = claimCursor.dueFrom(SLOW);
    claimCursor.record(from, claimed(due(4, NOW.minusSeconds(300))), true, SLOW, SLOW + 1);

    assertThat(claimCursor.dueFrom(SLOW + 1).get(4)).isEqualTo(NOW.minusSeconds(300));
    assertThat(claimCursor.dueFrom(SLOW + 1).get(3)).isEqualTo(Instant.EPOCH);
    assertThat(claimCursor.dueFrom(11 * SLOW - 1)).isNotEmpty();
  }

  @Test
  void afterTenTimesTheSlowScanOneIsFullAgain() {
    claimCursor.record(FULL_SCAN, claimed(), false, 0, SLOW);

    assertThat(claimCursor.dueFrom(11 * SLOW - 1)).isNotEmpty();
    assertThat(claimCursor.dueFrom(11 * SLOW)).isEmpty();
  }

  /**
   * A process that is frozen during a scan measures a slow one; released instances must not wait.
   */
  @Test
  void howeverSlowAScanWasOneIsFullWithinAMinute() {
    long slow = Duration.ofSeconds(30).toNanos();
    claimCursor.record(FULL_SCAN, claimed(), false, 0, slow);

    assertThat(claimCursor.dueFrom(slow + Duration.ofSeconds(59).toNanos())).isNotEmpty();
    assertThat(claimCursor.dueFrom(slow + Duration.ofSeconds(60).toNanos())).isEmpty();
  }

  @Test
  void aFullScanForgetsWhatTheOnesBeforeHadReached() {
    claimCursor.record(FULL_SCAN, claimed(), false, 0, SLOW);
    claimCursor.record(FULL_SCAN, claimed(due(9, NOW.minusSeconds(9))), true, 11 * SLOW, 12 * SLOW);

    assertThat(claimCursor.dueFrom(12 * SLOW).subList(0, 9)).containsOnly(Instant.EPOCH);
  }
}
