package io.millrace.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.definition.Next;
import io.millrace.definition.WorkflowDefinition;
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
import org.junit.jupiter.api.Test;

class ExitsTest {

  private static final Instant NOW = Instant.parse("2026-01-05T08:00:00Z");

  private final Exits exits = new Exits(new FakeRuntime(), Duration.ofSeconds(15));
  private final Held held = held();

  private static Held held() {
    WorkflowInstance instance =
        new WorkflowInstance(
            1,
            new Origin("t", 1, "g", 0, null, null, null),
            new Position("s", InstanceStatus.CREATED, null, 0, NOW, null, null),
            new Lease(1L, 1, 0, 1, 0),
            new Timing(NOW, NOW, NOW, null),
            new Children(0, 0, 0),
            new Attachments(0, 0, -1, null, null));
    WorkflowDefinition definition =
        WorkflowDefinition.of("t").start("s", ctx -> Next.done("done")).build();
    return new Held(instance, definition, ClaimResult.Payload.EMPTY, NOW, 0, 0);
  }

  private void threadEnds() {
    if (held.endHandler()) {
      exits.ended(held);
    }
  }

  @Test
  void aHandlerThatStillRunsIsWaitedFor() {
    held.started(0);
    exits.expect(held);
    assertThat(exits.contains(1)).isTrue();
    threadEnds();
    assertThat(exits.contains(1)).isFalse();
  }

  @Test
  void aHandlerThatHasEndedIsNotWaitedFor() {
    held.started(0);
    threadEnds();
    exits.expect(held);
    assertThat(exits.contains(1)).isFalse();
  }

  @Test
  void theSecondHandlerOfAChainIsWaitedForThoughTheThreadOfTheFirstEndsLate() {
    held.started(0);
    held.started(0);
    threadEnds();
    exits.expect(held);
    assertThat(exits.contains(1)).isTrue();
    threadEnds();
    assertThat(exits.contains(1)).isFalse();
  }
}
