package io.millrace.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.instance.Attachments;
import io.millrace.instance.Children;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.Lease;
import io.millrace.instance.Origin;
import io.millrace.instance.Position;
import io.millrace.instance.Timing;
import io.millrace.instance.WorkflowInstance;
import io.millrace.store.ClaimResult;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class FrontierTest {

  private static final Instant NOW = Instant.parse("2026-01-05T08:00:00Z");
  private static final Instant SETTLED = NOW.minusSeconds(1);
  private static final long SLOW = Duration.ofMillis(200).toNanos();
  private static final List<Instant> BEGINNING = List.of();

  private final Frontier frontier = new Frontier(0);

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
            new Timing(NOW, NOW, NOW, null),
            new Children(0, 0, 0),
            new Attachments(0, 0, -1, null, null));
    return new ClaimResult.Claimed(instance, ClaimResult.Payload.EMPTY);
  }

  @Test
  void whileLooksAreQuickEachIsFromTheBeginning() {
    for (long nanos = 0; nanos < 1_000_000_000; nanos += 40_000_000) {
      assertThat(frontier.dueFrom(nanos)).isEmpty();
      frontier.looked(BEGINNING, claimed(), false, nanos, nanos + 40_000_000);
    }
  }

  @Test
  void aSlowLookThatFoundAllLetsTheNextOnesBeginShortlyBeforeIt() {
    frontier.looked(BEGINNING, claimed(), false, 0, SLOW);

    assertThat(frontier.dueFrom(SLOW)).hasSize(10).containsOnly(SETTLED);
  }

  @Test
  void aSlowLookThatWasFullIsContinuedWhereItStopped() {
    Instant last = NOW.minusSeconds(600);
    ClaimResult full =
        claimed(due(7, NOW.minusSeconds(5)), due(4, NOW.minusSeconds(900)), due(4, last));

    frontier.looked(BEGINNING, full, true, 0, SLOW);

    List<Instant> from = frontier.dueFrom(SLOW);
    assertThat(from.subList(0, 4)).containsOnly(Instant.EPOCH);
    assertThat(from.get(4)).isEqualTo(last);
    assertThat(from.subList(5, 10)).containsOnly(SETTLED);
  }

  @Test
  void whatIsDueSinceTheLastSecondIsAlwaysLookedAtAgain() {
    frontier.looked(BEGINNING, claimed(due(4, NOW)), true, 0, SLOW);

    assertThat(frontier.dueFrom(SLOW).get(4)).isEqualTo(SETTLED);
  }

  @Test
  void laterLooksMoveItOnAndNeverEndTheRest() {
    frontier.looked(BEGINNING, claimed(due(4, NOW.minusSeconds(600))), true, 0, SLOW);
    List<Instant> from = frontier.dueFrom(SLOW);
    frontier.looked(from, claimed(due(4, NOW.minusSeconds(300))), true, SLOW, SLOW + 1);

    assertThat(frontier.dueFrom(SLOW + 1).get(4)).isEqualTo(NOW.minusSeconds(300));
    assertThat(frontier.dueFrom(SLOW + 1).get(3)).isEqualTo(Instant.EPOCH);
    assertThat(frontier.dueFrom(11 * SLOW - 1)).isNotEmpty();
  }

  @Test
  void afterTenTimesTheSlowLookOneIsFromTheBeginningAgain() {
    frontier.looked(BEGINNING, claimed(), false, 0, SLOW);

    assertThat(frontier.dueFrom(11 * SLOW - 1)).isNotEmpty();
    assertThat(frontier.dueFrom(11 * SLOW)).isEmpty();
  }

  /** A process that is frozen during a look finds it slow; what was given back must not wait. */
  @Test
  void howeverSlowALookWasOneIsFromTheBeginningWithinAMinute() {
    long slow = Duration.ofSeconds(30).toNanos();
    frontier.looked(BEGINNING, claimed(), false, 0, slow);

    assertThat(frontier.dueFrom(slow + Duration.ofSeconds(59).toNanos())).isNotEmpty();
    assertThat(frontier.dueFrom(slow + Duration.ofSeconds(60).toNanos())).isEmpty();
  }

  @Test
  void aLookFromTheBeginningForgetsWhatTheOnesBeforeHadReached() {
    frontier.looked(BEGINNING, claimed(), false, 0, SLOW);
    frontier.looked(BEGINNING, claimed(due(9, NOW.minusSeconds(9))), true, 11 * SLOW, 12 * SLOW);

    assertThat(frontier.dueFrom(12 * SLOW).subList(0, 9)).containsOnly(Instant.EPOCH);
  }
}
