package io.millrace.verification.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.Engine;
import io.millrace.WorkflowClient;
import io.millrace.fixtures.ChildJvm;
import io.millrace.fixtures.ConditionPoller;
import io.millrace.fixtures.TestDatabase;
import io.millrace.instance.ConflictException;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.StartRequest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests that a process with a heap of 128 MB works on instances that have more data than that. */
@Timeout(300)
@Tag("kills")
class LargeDataTest {

  private static final String HEAP = "-Xmx128m";

  /**
   * Statement that inserts signals past the limit, as if they had arrived before the limit existed.
   */
  private static final String NOISE =
      """
      INSERT INTO millrace_message (instance_id, kind, name, payload, sent_at)
      SELECT w.id, 'signal', 'noise', '"' || repeat('x', 900000) || '"', now()
      FROM millrace_instance w, generate_series(1, 300) WHERE w.type = 'inbox'
      """;

  private static final String LAST =
      """
      INSERT INTO millrace_message (instance_id, kind, name, payload, sent_at)
      SELECT w.id, 'signal', 'last', '1', now() FROM millrace_instance w WHERE w.type = 'inbox'
      """;

  private static final String COUNTED =
      "UPDATE millrace_instance SET inbox_count = inbox_count + 301 WHERE type = 'inbox'";

  private static final String HEAVY =
      """
      INSERT INTO millrace_instance (type, version, definition_id, executor_group, priority, state,
        status, next_activation_at, created_at, modified_at, entered_at, input, variable_count)
      SELECT d.type, d.version, d.id, 'millrace', 4, 'read', 'created',
        clock_timestamp() - i * INTERVAL '1 millisecond', now(), now(), now(),
        '"' || repeat('x', 900000) || '"', 3
      FROM millrace_definition d, generate_series(1, 100) i WHERE d.type = 'heavy'
      """;

  private static final String VARIABLES =
      """
      INSERT INTO millrace_variable (instance_id, name, "value")
      SELECT w.id, 'v' || i, '"' || repeat('x', 900000) || '"'
      FROM millrace_instance w, generate_series(1, 3) i WHERE w.type = 'heavy'
      """;

  private static final String FINISHED =
      "SELECT count(*) FROM millrace_instance WHERE status = 'finished' AND type = 'heavy'";

  private static Engine client(TestDatabase database) {
    return Engine.builder()
        .dataSource(database.pool())
        .workflows(LargeDataProcess.inbox(), LargeDataProcess.heavy())
        .settings(s -> s.runsInstances(false))
        .start();
  }

  private static ChildJvm start(TestDatabase database) throws Exception {
    ChildJvm child = ChildJvm.startWith(HEAP, LargeDataProcess.class, database.url());
    child.await(1, "READY");
    return child;
  }

  @Test
  void theAwaitedSignalIsFoundBehindMoreThanFitsIntoTheHeap() throws Exception {
    try (TestDatabase database = TestDatabase.postgres();
        Engine engine = client(database);
        ChildJvm child = start(database)) {
      WorkflowClient client = engine.client();
      long id = client.start(StartRequest.of("inbox")).id();
      ConditionPoller.await(
          "the instance waits",
          () -> client.get(id).position().waitingFor() != null && client.get(id).seq() == 1);
      database.execute(NOISE);
      database.execute(LAST);
      database.execute(COUNTED);
      assertThatThrownBy(() -> client.signal(id, "other", 1))
          .isInstanceOf(ConflictException.class)
          .hasMessageContaining("The inbox of instance " + id + " is full");
      client.signal(id, "go", 7);
      ConditionPoller.await(
          "the instance ends",
          () -> {
            assertThat(child.isAlive()).as("alive; it said %s", child.seen()).isTrue();
            return client.get(id).status() == InstanceStatus.FINISHED;
          });
      assertThat(client.get(id).reason()).isEqualTo("got 7, noise truetrue");
      assertThat(client.get(id).details().inboxCount()).isEqualTo(299);
      assertThat(child.seen()).noneMatch(line -> line.contains("OutOfMemory"));
    }
  }

  @Test
  void instancesWithMoreInputsAndVariablesThanFitIntoTheHeapAreWorkedOff() throws Exception {
    try (TestDatabase database = TestDatabase.postgres()) {
      client(database).close();
      database.execute(HEAVY);
      database.execute(VARIABLES);
      try (ChildJvm child = start(database)) {
        ConditionPoller.await(
            "all instances end",
            () -> {
              assertThat(child.isAlive()).as("alive; it said %s", child.seen()).isTrue();
              return database.number(FINISHED) == 100;
            });
        assertThat(child.seen()).noneMatch(line -> line.contains("OutOfMemory"));
      }
    }
  }
}
