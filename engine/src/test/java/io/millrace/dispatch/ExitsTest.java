package io.millrace.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ExitsTest {

  private final OrphanedHandlers orphanedHandlers =
      new OrphanedHandlers(new FakeRuntime(), Duration.ofSeconds(15));
  private final LeasedInstance leased = HeldInstances.of(1);

  private void threadEnds() {
    if (leased.endHandler()) {
      orphanedHandlers.ended(leased);
    }
  }

  @Test
  void aHandlerThatStillRunsIsWaitedFor() {
    leased.threadCreated(0);
    orphanedHandlers.expect(leased);
    assertThat(orphanedHandlers.contains(1)).isTrue();
    threadEnds();
    assertThat(orphanedHandlers.contains(1)).isFalse();
  }

  @Test
  void aHandlerThatHasEndedIsNotWaitedFor() {
    leased.threadCreated(0);
    threadEnds();
    orphanedHandlers.expect(leased);
    assertThat(orphanedHandlers.contains(1)).isFalse();
  }

  @Test
  void theSecondHandlerOfAChainIsWaitedForThoughTheThreadOfTheFirstEndsLate() {
    leased.threadCreated(0);
    leased.threadCreated(0);
    threadEnds();
    orphanedHandlers.expect(leased);
    assertThat(orphanedHandlers.contains(1)).isTrue();
    threadEnds();
    assertThat(orphanedHandlers.contains(1)).isFalse();
  }
}
