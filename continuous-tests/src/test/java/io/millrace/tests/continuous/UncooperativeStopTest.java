package io.millrace.tests.continuous;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Engine;
import io.millrace.continuous.ContinuousWorkflow;
import io.millrace.definition.Next;
import io.millrace.instance.HistoryEntry;
import io.millrace.instance.HistoryEntryType;
import io.millrace.instance.InstanceQuery;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.WorkflowInstance;
import io.millrace.store.ContinuousStore;
import io.millrace.store.ContinuousStore.Filter;
import io.millrace.testing.MemoryStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests of an execution that ignores a stop, on real threads. */
@Timeout(300)
@Tag("races")
class UncooperativeStopTest {

  private final MemoryStore store = new MemoryStore(InstantSource.system());
  private final TestTrigger blocked = new TestTrigger();
  private final TestTrigger neighbour = new TestTrigger();
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch forEver = new CountDownLatch(1);
  private final CountDownLatch done = new CountDownLatch(4);
  private final List<String> handled = new CopyOnWriteArrayList<>();

  private Engine engine() {
    return Engine.builder()
        .store(store)
        .settings(s -> s.drainGrace(Duration.ofMillis(100)))
        .continuous(
            ContinuousWorkflow.of("blocked", blocked)
                .handler((context, event) -> {
                  if (begun.getCount() > 0) {
                    begun.countDown();
                    blockForEver();
                  }
                  return done(event.payload(String.class));
                }),
            ContinuousWorkflow.of("neighbour", neighbour)
                .handler((context, event) -> done(event.payload(String.class))))
        .start();
  }

  private Next done(String event) {
    handled.add(event);
    done.countDown();
    return Next.done("handled");
  }

  /** Blocks and ignores interrupts. */
  private void blockForEver() {
    while (forEver.getCount() > 0) {
      try {
        forEver.await();
      } catch (InterruptedException e) {
        begun.countDown();
      }
    }
  }

  @Test
  void anExecutionThatBlocksForEverHoldsUpNeitherTheStopNorItsNeighbour() throws Exception {
    blocked.events.addAll(List.of("a", "b"));
    neighbour.events.addAll(List.of("c", "d"));
    Engine first = engine();
    assertThat(begun.await(60, TimeUnit.SECONDS)).isTrue();
    first.close();
    assertThat(store.role(ContinuousStore.class).list(Filter.ALL, null, 10))
        .hasSize(2)
        .allMatch(row -> row.ownership().executorId() == null);
    try (Engine second = engine()) {
      assertThat(done.await(60, TimeUnit.SECONDS)).isTrue();
      assertThat(handled).containsExactlyInAnyOrder("a", "b", "c", "d");
      WorkflowInstance a =
          second.client().search(InstanceQuery.all().type("blocked")).items().stream()
              .filter(one -> "blocked|event 0".equals(one.origin().externalId()))
              .findFirst()
              .orElseThrow();
      assertThat(a.status()).isEqualTo(InstanceStatus.FINISHED);
      assertThat(second.client().history(a.id()))
          .extracting(HistoryEntry::type)
          .containsExactly(HistoryEntryType.ABANDONED, HistoryEntryType.STATE_EXECUTION);
    } finally {
      forEver.countDown();
    }
  }
}
