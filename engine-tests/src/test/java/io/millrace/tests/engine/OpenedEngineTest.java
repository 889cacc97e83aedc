package io.millrace.tests.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.Engine;
import io.millrace.EngineBuilder;
import io.millrace.definition.Next;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.fixtures.Patience;
import io.millrace.fixtures.TestDatabase;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.StartRequest;
import io.millrace.lifecycle.EngineState;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tests that the client works before the engine starts to work, and after it has stopped. */
class OpenedEngineTest {

  private static EngineBuilder builder(TestDatabase database) {
    return Engine.builder()
        .dataSource(database.pool())
        .workflows(WorkflowDefinition.of("job").start("work", ctx -> Next.done("done")).build());
  }

  @Test
  void anOpenedEngineWorksFromItsStartOn() {
    try (TestDatabase database = TestDatabase.h2();
        Engine engine = builder(database).open()) {
      long id = engine.client().start(StartRequest.of("job")).id();
      assertThat(engine.leasedInstanceCount()).isZero();
      assertThat(engine.client().get(id).status()).isEqualTo(InstanceStatus.CREATED);
      engine.start();
      assertThat(engine.client().await(id, Patience.LIMIT).status())
          .isEqualTo(InstanceStatus.FINISHED);
    }
  }

  @Test
  void theClientOfAStoppedEngineStartsInstancesForOthers() {
    try (TestDatabase database = TestDatabase.h2();
        Engine engine = builder(database).start()) {
      engine.stop(Duration.ofSeconds(30));
      assertThat(engine.state()).isEqualTo(EngineState.DRAINED);
      long id = engine.client().start(StartRequest.of("job")).id();
      assertThat(engine.client().get(id).status()).isEqualTo(InstanceStatus.CREATED);
      try (Engine other = builder(database).start()) {
        assertThat(other.client().await(id, Patience.LIMIT).status())
            .isEqualTo(InstanceStatus.FINISHED);
      }
    }
  }

  @Test
  void anEngineStartsOnce() {
    try (TestDatabase database = TestDatabase.h2();
        Engine engine = builder(database).start()) {
      assertThatThrownBy(engine::start)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("started before");
      long id = engine.client().start(StartRequest.of("job")).id();
      assertThat(engine.client().await(id, Patience.LIMIT).status())
          .isEqualTo(InstanceStatus.FINISHED);
    }
  }
}
