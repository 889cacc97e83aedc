package io.millrace.tests.runtime;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.Engine;
import io.millrace.definition.Next;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.fixtures.ConditionPoller;
import io.millrace.fixtures.FaultyStore;
import io.millrace.fixtures.FaultyStore.Fault;
import io.millrace.lifecycle.EngineClock;
import io.millrace.store.StoreException;
import io.millrace.testing.MemoryStore;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Tests that an engine which cannot start leaves nothing behind that would keep the JVM alive. */
class FailedStartCleanupTest {

  @Test
  void noThreadIsLeftByAStartThatFailed() throws Exception {
    FaultyStore store = new FaultyStore(new MemoryStore(EngineClock.system()));
    store.failNext("register", Fault.LOST_REQUEST);
    Set<Thread> before = threads();
    assertThatThrownBy(() ->
            Engine.builder()
                .store(store)
                .workflows(
                    WorkflowDefinition.of("job").start("work", ctx -> Next.done("done")).build())
                .start())
        .isInstanceOf(StoreException.class);
    ConditionPoller.await("all new threads have ended", () -> before.containsAll(threads()));
  }

  private static Set<Thread> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("millrace-"))
        .collect(Collectors.toSet());
  }
}
