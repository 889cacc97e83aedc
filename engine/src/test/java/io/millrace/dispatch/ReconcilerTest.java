package io.millrace.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.SingleMethodFake;
import io.millrace.store.ExecutorStore;
import io.millrace.store.Fence;
import io.millrace.store.InstanceStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReconcilerTest {

  private static final Map<Long, Integer> OWNED = Map.of(1L, 1);

  private final List<Object> released = new ArrayList<>();
  private final OrphanedHandlers orphanedHandlers =
      new OrphanedHandlers(new FakeRuntime(), Duration.ofSeconds(15));
  private final LeasedInstances leasedInstances = new LeasedInstances(orphanedHandlers);
  private final PendingClaims pendingClaims = new PendingClaims();
  private final Reconciler reconciler =
      new Reconciler(instances(), executors(), leasedInstances, pendingClaims, null);

  private InstanceStore instances() {
    return SingleMethodFake.of(
        InstanceStore.class,
        "release",
        args -> {
          released.addAll((List<?>) args[0]);
          return released.size();
        });
  }

  private static ExecutorStore executors() {
    return SingleMethodFake.of(ExecutorStore.class, "ownedInstances", args -> OWNED);
  }

  @Test
  void whatIsOwnedAndNotHeldIsReleasedAtTheSecondLook() {
    reconciler.reconcile(1);
    assertThat(released).isEmpty();
    reconciler.reconcile(1);
    assertThat(released).containsExactly(new Fence(1, 1, 1, 0));
  }

  /** The result of the claim may contain the row. */
  @Test
  void nothingIsReleasedWhileAClaimOfThatTimeIsUnderWay() {
    long claim = pendingClaims.start();
    for (int look = 0; look < 5; look++) {
      reconciler.reconcile(1);
    }
    assertThat(released).isEmpty();
    pendingClaims.end(claim);
    reconciler.reconcile(1);
    assertThat(released).hasSize(1);
  }

  @Test
  void anInstanceIsNotReleasedWhileItsHandlerStillRuns() {
    LeasedInstance leased = HeldInstances.of(1);
    leasedInstances.add(leased, false);
    leased.changePhase(LeasedInstance.Phase.QUEUED, LeasedInstance.Phase.RUNNING);
    leased.threadCreated(0);
    leasedInstances.drop(leased, "its lease was in doubt", false);
    leasedInstances.remove(leased);
    for (int look = 0; look < 5; look++) {
      reconciler.reconcile(1);
    }
    assertThat(released).isEmpty();

    leased.endHandler();
    orphanedHandlers.ended(leased);
    reconciler.reconcile(1);
    assertThat(released).hasSize(1);
  }
}
