package io.millrace.tests.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Engine;
import io.millrace.continuous.ContinuousWorkflow;
import io.millrace.continuous.PollResult;
import io.millrace.continuous.Trigger;
import io.millrace.continuous.TriggerContext;
import io.millrace.definition.Next;
import io.millrace.fixtures.LongLease;
import io.millrace.fixtures.Patience;
import io.millrace.testing.MemoryStore;
import java.time.InstantSource;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;

/**
 * Tests that code of the application outside of handlers runs on platform threads: it may compute,
 * and must run even if handlers occupy all carriers of virtual threads.
 */
class PlatformThreadsTest {

  private final BlockingQueue<String> threads = new LinkedBlockingQueue<>();

  private void record(String what) {
    threads.add(what + (Thread.currentThread().isVirtual() ? " virtual" : " platform"));
  }

  private final Trigger trigger =
      new Trigger() {
        @Override
        public String describe() {
          return "records its threads";
        }

        @Override
        public Source open(TriggerContext scope) {
          record("open");
          return () -> {
            record("poll");
            return PollResult.untilWoken();
          };
        }
      };

  @Test
  void hooksAndTriggersRunOnPlatformThreads() throws InterruptedException {
    try (Engine engine =
        Engine.builder()
            .store(new MemoryStore(InstantSource.system()))
            .settings(LongLease::of)
            .warmUp(Patience.LIMIT)
            .onWarmUp(() -> record("hook"))
            .continuous(
                ContinuousWorkflow.of("feed", trigger)
                    .handler((context, event) -> Next.done("handled")))
            .start()) {
      assertThat(engine.executorId()).isNotNull();
      assertThat(Patience.take(threads)).isEqualTo("hook platform");
      assertThat(Patience.take(threads)).isEqualTo("open platform");
      assertThat(Patience.take(threads)).isEqualTo("poll platform");
    }
  }
}
