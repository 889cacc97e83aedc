package io.millrace.tests.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Engine;
import io.millrace.definition.Next;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.fixtures.EventRecorder;
import io.millrace.fixtures.FaultyStore;
import io.millrace.fixtures.Patience;
import io.millrace.instance.StartRequest;
import io.millrace.testing.MemoryStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Tests of the store calls of handlers, on real threads. */
class StoreCallQueueTest {

  private final EventRecorder events = new EventRecorder();
  private final CountDownLatch asked = new CountDownLatch(1);
  private final CountDownLatch answer = new CountDownLatch(1);

  private static WorkflowDefinition writing(String type, String state) {
    return WorkflowDefinition.of(type)
        .start(
            state,
            ctx -> {
              ctx.keyValues().set("group", type, "value");
              return Next.done("written");
            })
        .build();
  }

  private void block() {
    asked.countDown();
    try {
      answer.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void aLongRequestOfOneHandlerHoldsUpNoOther() throws Exception {
    FaultyStore store = new FaultyStore(new MemoryStore(InstantSource.system()));
    store.before("put", this::block);
    try (Engine engine =
        Engine.builder()
            .store(store)
            .workflows(writing("long", "takes"), writing("short", "passes"))
            .settings(s -> s.lease(Duration.ofHours(1), Duration.ofSeconds(2)))
            .listener(events)
            .start()) {
      engine.client().start(StartRequest.of("long"));
      Patience.await(asked);
      for (int i = 0; i < 10; i++) {
        engine.client().start(StartRequest.of("short"));
      }
      events.awaitTransitions("passes", 10);
      assertThat(engine.keyValues().get("group", "long")).isEmpty();
      answer.countDown();
      events.awaitTransitions("takes", 1);
      assertThat(engine.keyValues().get("group", "long")).isPresent();
    }
  }
}
