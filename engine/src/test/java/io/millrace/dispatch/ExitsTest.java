package io.millrace.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.definition.Next;
import io.millrace.definition.WorkflowDefinition;
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
import org.junit.jupiter.api.Test;

class ExitsTest {

  private static final Instant NOW = Instant.parse("2026-01-05T08:00:00Z");

  private final OrphanedHandlers orphanedHandlers =
      new OrphanedHandlers(new FakeRuntime(), Duration.ofSeconds(15));
  private final LeasedInstance leased = held();

  private static LeasedInstance held() {
    WorkflowInstance instance =
        new WorkflowInstance(
            1,
            new Origin("t", 1, "g", 0, null, null, null),
            new Position("s", InstanceStatus.CREATED, null, 0, NOW, null, null),
            new Lease(1L, 1, 0, 1, 0),
            new InstanceTimestamps(NOW, NOW, NOW, null),
            new ChildCounts(0, 0, 0),
            new InstanceDetails(0, 0, -1, null, null));
    WorkflowDefinition definition =
        WorkflowDefinition.of("t").start("s", ctx -> Next.done("done")).build();
    return new LeasedInstance(instance, definition, ClaimResult.Payload.EMPTY, NOW, 0, 0);
  }

  private void threadEnds() {
    if (leased.endHandler()) {
      orphanedHandlers.ended(leased);
    }
  }

  @Test
  void aHandlerThatStillRunsIsWaitedFor() {
    leased.started(0);
    orphanedHandlers.expect(leased);
    assertThat(orphanedHandlers.contains(1)).isTrue();
    threadEnds();
    assertThat(orphanedHandlers.contains(1)).isFalse();
  }

  @Test
  void aHandlerThatHasEndedIsNotWaitedFor() {
    leased.started(0);
    threadEnds();
    orphanedHandlers.expect(leased);
    assertThat(orphanedHandlers.contains(1)).isFalse();
  }

  @Test
  void theSecondHandlerOfAChainIsWaitedForThoughTheThreadOfTheFirstEndsLate() {
    leased.started(0);
    leased.started(0);
    threadEnds();
    orphanedHandlers.expect(leased);
    assertThat(orphanedHandlers.contains(1)).isTrue();
    threadEnds();
    assertThat(orphanedHandlers.contains(1)).isFalse();
  }
}
