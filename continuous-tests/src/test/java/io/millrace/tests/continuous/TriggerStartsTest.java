package io.millrace.tests.continuous;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Engine;
import io.millrace.continuous.ContinuousSettings;
import io.millrace.continuous.ContinuousWorkflow;
import io.millrace.continuous.PollResult;
import io.millrace.continuous.Trigger;
import io.millrace.continuous.TriggerContext;
import io.millrace.definition.Next;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.store.ContinuousStore;
import io.millrace.store.ContinuousStore.Filter;
import io.millrace.store.StoredContinuousWorkflow;
import io.millrace.testing.MemoryStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests of triggers that open slowly, on real threads. */
@Timeout(300)
@Tag("races")
class TriggerStartsTest {

  private static final int ALL = 12;
  private static final int MAX = 3;

  private final Semaphore opening = new Semaphore(0);
  private final Semaphore mayOpen = new Semaphore(0);
  private final CountDownLatch opened = new CountDownLatch(ALL);
  private final AtomicInteger now = new AtomicInteger();
  private final AtomicInteger highest = new AtomicInteger();

  private final Trigger slow =
      new Trigger() {
        @Override
        public String describe() {
          return "slow to open";
        }

        @Override
        public Source open(TriggerContext scope) throws Exception {
          highest.accumulateAndGet(now.incrementAndGet(), Math::max);
          opening.release();
          mayOpen.acquire();
          now.decrementAndGet();
          return () -> {
            opened.countDown();
            return PollResult.untilWoken();
          };
        }
      };

  private static List<StoredContinuousWorkflow> owned(MemoryStore store) {
    return store.role(ContinuousStore.class).list(Filter.ALL, null, ALL).stream()
        .filter(row -> row.ownership().executorId() != null)
        .toList();
  }

  @Test
  void noMoreAreStartedAtATimeThanMay() throws Exception {
    WorkflowDefinition events =
        WorkflowDefinition.of("events").start("do", context -> Next.done("done")).build();
    MemoryStore store = new MemoryStore(InstantSource.system());
    ContinuousSettings settings =
        ContinuousSettings.defaults()
            .maxConcurrentStarts(MAX)
            .scanInterval(Duration.ofMillis(20))
            .polls(new ContinuousSettings.PollSettings(64, Duration.ofHours(1)));
    try (Engine engine =
        Engine.builder()
            .store(store)
            .continuous(settings)
            .continuous(
                IntStream.range(0, ALL)
                    .mapToObj(i -> ContinuousWorkflow.of("w" + i, slow).runs(events))
                    .toArray(ContinuousWorkflow[]::new))
            .start()) {
      for (int i = 1; i <= ALL; i++) {
        assertThat(opening.tryAcquire(i == 1 ? MAX : 1, 60, TimeUnit.SECONDS)).isTrue();
        assertThat(owned(store)).hasSize(i + MAX - 1);
        mayOpen.release();
        if (i == ALL - MAX + 1) {
          break;
        }
      }
      mayOpen.release(ALL);
      assertThat(opened.await(60, TimeUnit.SECONDS)).isTrue();
      assertThat(highest).hasValue(MAX);
      assertThat(owned(store)).hasSize(ALL);
      assertThat(engine.continuous().list(Filter.ALL, null, ALL))
          .allMatch(row -> row.ownership().epoch() == 1);
    }
  }
}
