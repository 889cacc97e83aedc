package io.millrace.verification.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.WorkflowProvider;
import io.millrace.definition.Next;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.StartRequest;
import io.millrace.testing.ManualEngine;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;

/** Tests of the provider on the page about the server. */
class ServerPageTest {

  // docs:provider
  public static final class Greetings implements WorkflowProvider {
    @Override
    public Collection<WorkflowDefinition> workflows(DataSource database) {
      return List.of(
          WorkflowDefinition.of("greeting")
              .start("greet", ctx -> Next.moveTo("done", "hello, " + ctx.input(String.class)))
              .end("done")
              .build());
    }
  }

  // docs:end

  @Test
  void theProvidersWorkflowsRun() {
    WorkflowDefinition[] workflows =
        new Greetings().workflows(new JdbcDataSource()).toArray(WorkflowDefinition[]::new);
    try (ManualEngine engine = ManualEngine.with(workflows)) {
      long id = engine.client().start(StartRequest.of("greeting", "Ada")).id();
      engine.advance(Duration.ZERO);
      assertThat(engine.client().get(id).status()).isEqualTo(InstanceStatus.FINISHED);
      assertThat(engine.client().get(id).position().reason()).isEqualTo("hello, Ada");
    }
  }
}
