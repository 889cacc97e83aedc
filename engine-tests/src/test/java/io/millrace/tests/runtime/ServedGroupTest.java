package io.millrace.tests.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.definition.Next;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.instance.StartRequest;
import io.millrace.testing.ManualEngine;
import io.millrace.testing.MemoryStore;
import io.millrace.tests.support.CapturedLog;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/** Tests that an engine which runs no handlers logs a warning if no executor serves its group. */
@ResourceLock(Resources.SYSTEM_ERR)
class ServedGroupTest {

  private static final String WARNING = "No executor serves group 'orders'";

  private final WorkflowDefinition job =
      WorkflowDefinition.of("job").start("work", ctx -> Next.done("done")).build();
  private final AtomicReference<MemoryStore> store = new AtomicReference<>();

  private ManualEngine executor(String group) {
    return ManualEngine.with(
        ManualEngine.defaultSettings().executorGroup(group),
        clock -> store.updateAndGet(known -> new MemoryStore(clock)),
        job);
  }

  private ManualEngine steering(String group) {
    return ManualEngine.with(
        ManualEngine.defaultSettings().executorGroup(group).runsInstances(false),
        clock -> store.updateAndGet(known -> known != null ? known : new MemoryStore(clock)),
        job);
  }

  private String logOfStart(ManualEngine engine) {
    try (CapturedLog log = new CapturedLog()) {
      engine.client().start(StartRequest.of("job"));
      engine.client().start(StartRequest.of("job"));
      engine.runUntilIdle();
      return log.text();
    }
  }

  @Test
  void aStartInAGroupThatNobodyServesIsWarnedOfOnce() {
    try (ManualEngine other = executor("other");
        ManualEngine engine = steering("orders")) {
      assertThat(logOfStart(engine)).containsOnlyOnce(WARNING).contains("[other]");
      assertThat(logOfStart(engine)).doesNotContain(WARNING);
      engine.clock().advance(Duration.ofMinutes(1));
      assertThat(logOfStart(engine)).containsOnlyOnce(WARNING);
      assertThat(other.engine().executorId()).isNotNull();
    }
  }

  @Test
  void aGroupThatIsServedIsNoReasonToWarn() {
    try (ManualEngine executor = executor("orders");
        ManualEngine engine = steering("orders")) {
      assertThat(logOfStart(engine)).doesNotContain(WARNING);
      assertThat(executor.engine().executorId()).isNotNull();
    }
  }
}
