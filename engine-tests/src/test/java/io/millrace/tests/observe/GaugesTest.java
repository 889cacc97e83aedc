package io.millrace.tests.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.millrace.Engine;
import io.millrace.EngineBuilder;
import io.millrace.definition.Next;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.fixtures.Patience;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.StartRequest;
import io.millrace.lifecycle.EngineClock;
import io.millrace.observe.MillraceMeters;
import io.millrace.testing.MemoryStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Tests of the meters of a real engine while it works and after it has stopped. */
class GaugesTest {

  private final MeterRegistry registry = new SimpleMeterRegistry();
  private final CountDownLatch begun = new CountDownLatch(2);
  private final CountDownLatch mayEnd = new CountDownLatch(1);

  private final WorkflowDefinition slow =
      WorkflowDefinition.of("slow")
          .start(
              "work",
              ctx -> {
                begun.countDown();
                mayEnd.await();
                return Next.done("worked");
              })
          .build();

  @Test
  void tellWhatTheEngineHasInHand() throws InterruptedException {
    try (Engine engine = start()) {
      List<Long> ids =
          engine
              .client()
              .startAll(List.of(StartRequest.of("slow"), StartRequest.of("slow")))
              .stream()
              .map(startedInstance -> startedInstance.id())
              .toList();
      Patience.await(begun);

      assertThat(gauge("millrace.handlers.running")).isEqualTo(2);
      assertThat(gauge("millrace.handlers.limit")).isEqualTo(2);
      assertThat(gauge("millrace.handlers.stuck")).isZero();
      assertThat(gauge("millrace.instances.held")).isEqualTo(2);
      assertThat(gauge("millrace.queue.size")).isZero();
      assertThat(gauge("millrace.lease.left")).isPositive();
      assertThat(gauge("millrace.lease.age") + gauge("millrace.lease.left"))
          .isLessThanOrEqualTo(3600);

      mayEnd.countDown();
      for (long id : ids) {
        assertThat(engine.client().await(id, Patience.LIMIT).status())
            .isEqualTo(InstanceStatus.FINISHED);
      }
    } finally {
      mayEnd.countDown();
    }
    assertThat(registry.get("millrace.attempts").tag("outcome", "ok").timer().count()).isEqualTo(2);
    assertThat(registry.get("millrace.saves").timer().count()).isPositive();
    assertThat(gauge("millrace.instances.held")).isZero();
    assertThat(gauge("millrace.handlers.limit")).isZero();
  }

  private Engine start() {
    EngineBuilder builder =
        Engine.builder()
            .store(new MemoryStore(EngineClock.system()))
            .workflows(slow)
            .settings(s -> s.concurrency(2).lease(Duration.ofHours(1), Duration.ofMinutes(20)));
    // docs:meters
    builder.listener(MillraceMeters.to(registry));
    // docs:end
    return builder.start();
  }

  private double gauge(String name) {
    return registry.get(name).gauge().value();
  }
}
