package io.millrace.verification.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Engine;
import io.millrace.WorkflowClient;
import io.millrace.definition.Next;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.event.EngineEvent;
import io.millrace.fixtures.EventRecorder;
import io.millrace.fixtures.LongLease;
import io.millrace.fixtures.Patience;
import io.millrace.fixtures.TestDatabase;
import io.millrace.instance.InstanceQuery;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.OperatorAction;
import io.millrace.instance.StartRequest;
import io.millrace.instance.WorkflowInstance;
import io.millrace.retry.RetryPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests of rows that no version of the engine writes, put into the tables by other programs. Such
 * an instance ends or is parked with a reason, and it can be read, canceled and removed. All others
 * that are claimed together with it continue.
 */
class CorruptRowsTest {

  private static final int GOOD = 5;
  private static final OperatorAction ACTION = OperatorAction.by("alice", "broken row");

  private final EventRecorder events = new EventRecorder();

  /**
   * A way to corrupt a row.
   *
   * @param sql statement that changes the row of instance ID
   * @param reason part of the reason with which the instance ends or is parked
   */
  private record Spoiled(String sql, InstanceStatus status, String reason) {}

  private static final Map<String, Spoiled> WAYS = new LinkedHashMap<>();

  static {
    fails("no input", row("input = NULL"), "was started without input");
    fails("input is no JSON", row("input = '{{'"), "The input");
    fails("input of another type", row("input = '[1]'"), "The input");
    fails("input too large", row("input = '\"' || REPEAT('x', 3000000) || '\"'"), "The input");
    fails("variable is no JSON", belonging("variable", "\"value\" = '{{'"), "Variable 'v'");
    fails("step is no JSON", belonging("step", "result = '{{'"), "Step 'before'");
    fails(
        "payload is no JSON", belonging("message", "payload = '{{'"), "The payload of signal 'go'");
    parks("unknown state", row("state = 'nowhere'"), "state 'nowhere' is not part of workflow");
    parks("unknown type", row("type = 'ghost'"), "ghost");
    parks("unknown version", row("version = 99"), "version 99");
    parks("unknown status", row("status = 'odd', reason = 'by hand'"), "by hand");
  }

  private static void fails(String name, String sql, String reason) {
    WAYS.put(name, new Spoiled(sql, InstanceStatus.FAILED, reason));
  }

  private static void parks(String name, String sql, String reason) {
    WAYS.put(name, new Spoiled(sql, InstanceStatus.MANUAL, reason));
  }

  private static String row(String change) {
    return "UPDATE millrace_instance SET " + change + " WHERE id = ID";
  }

  private static String belonging(String table, String change) {
    return "UPDATE millrace_" + table + " SET " + change + " WHERE instance_id = ID";
  }

  static Stream<Arguments> databases() {
    Supplier<TestDatabase> h2 = TestDatabase::h2;
    Supplier<TestDatabase> postgres = TestDatabase::postgres;
    return Stream.of(Arguments.of("H2", h2), Arguments.of("PostgreSQL", postgres));
  }

  private static WorkflowDefinition job() {
    return WorkflowDefinition.of("job")
        .start(
            "work",
            ctx -> {
              ctx.once("before", String.class, () -> "done");
              ctx.get("v", Integer.class);
              ctx.signal("go").orElseThrow().payload(Integer.class);
              return Next.done("read " + ctx.input(String.class));
            })
        .retry(RetryPolicy.never())
        .build();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("databases")
  void harmNobodyElse(String name, Supplier<TestDatabase> databases) {
    try (TestDatabase database = databases.get();
        Engine engine =
            Engine.builder()
                .dataSource(database.pool())
                .workflows(job())
                .settings(LongLease::of)
                .listener(events)
                .start()) {
      WorkflowClient client = engine.client();
      Map<String, Long> bad = new LinkedHashMap<>();
      WAYS.forEach((way, spoiled) -> {
        long id = start(client, database);
        database.execute(spoiled.sql.replace("ID", Long.toString(id)));
        bad.put(way, id);
      });
      List<Long> good = new ArrayList<>();
      for (int i = 0; i < GOOD; i++) {
        good.add(start(client, database));
      }
      database.execute(
          row("entered_at = '0001-01-01 00:00:00+00'")
              .replace("ID", Long.toString(good.getFirst())));
      database.execute("UPDATE millrace_instance SET next_activation_at = CURRENT_TIMESTAMP");
      engine.poll();
      for (long id : good) {
        assertThat(client.await(id, Patience.LIMIT).status()).isEqualTo(InstanceStatus.FINISHED);
      }
      bad.forEach((way, id) -> assertShown(client, way, id));
      assertThat(client.search(InstanceQuery.all()).items()).hasSize(bad.size() + GOOD);
      bad.values().forEach(id -> client.cancel(id, ACTION));
      assertThat(client.search(InstanceQuery.all().status(InstanceStatus.CANCELLED)).items())
          .hasSize(bad.size());
      while (engine.retention().delete(Duration.ZERO, 100) > 0) {
        // each call is one short transaction
      }
      assertThat(database.number("SELECT count(*) FROM millrace_instance")).isZero();
    }
  }

  /**
   * Starts an instance that is due only when all rows are corrupt, so that one claim covers all of
   * them.
   */
  private static long start(WorkflowClient client, TestDatabase database) {
    long id =
        client
            .start(StartRequest.of("job", "text").variable("v", 1).after(Duration.ofHours(1)))
            .id();
    client.signal(id, "go", 1);
    database.execute(
        "INSERT INTO millrace_step (instance_id, entered_seq, name, result, created_at)"
            + " VALUES ("
            + id
            + ", 0, 'before', '\"done\"', CURRENT_TIMESTAMP)");
    database.execute("UPDATE millrace_instance SET steps_seq = 0 WHERE id = " + id);
    return id;
  }

  private void assertShown(WorkflowClient client, String way, long id) {
    Spoiled spoiled = WAYS.get(way);
    if (!way.equals("unknown status")) {
      events.await(EngineEvent.TransitionSaved.class, 1, e -> e.instanceId() == id);
    }
    WorkflowInstance instance = client.get(id);
    assertThat(instance.status()).as(way).isEqualTo(spoiled.status);
    assertThat(instance.reason()).as(way).contains(spoiled.reason);
    assertThat(client.statusReason(id).sentence()).as(way).isNotBlank();
    client.history(id);
    client.variables(id);
    client.inboxMessages(id, 10);
  }
}
