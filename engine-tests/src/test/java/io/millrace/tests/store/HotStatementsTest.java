package io.millrace.tests.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.data.KeyContent;
import io.millrace.data.KeyId;
import io.millrace.data.ReduceToken;
import io.millrace.fixtures.Proxies;
import io.millrace.fixtures.TestDatabase;
import io.millrace.fixtures.store.SaveSpec;
import io.millrace.fixtures.store.StartSpec;
import io.millrace.fixtures.store.StoredSequenceSpec;
import io.millrace.instance.Due;
import io.millrace.instance.ExecutorInfo;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.OperatorAction;
import io.millrace.instance.WorkflowInstance;
import io.millrace.store.ChannelMessage;
import io.millrace.store.ClaimRequest;
import io.millrace.store.KeyValueStore.Put;
import io.millrace.store.OperatorCommand;
import io.millrace.store.OperatorStore;
import io.millrace.store.ReduceStore.Commit;
import io.millrace.store.SaveRequest;
import io.millrace.store.SaveResult;
import io.millrace.store.SequenceStore;
import io.millrace.store.SequenceStore.FireBatchResult;
import io.millrace.store.SequenceStore.Flags;
import io.millrace.store.Store;
import io.millrace.store.TaskStore;
import io.millrace.store.TaskStore.ChangeResult;
import io.millrace.store.TaskStore.HandlerReference;
import io.millrace.store.TaskStore.StoredTask;
import io.millrace.store.sql.SchemaMode;
import io.millrace.store.sql.SqlStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that the statements of the hot paths are those in {@code statements}, as the driver gets
 * them: their whole texts are read and compared there. The system property {@code docs.write} lets
 * the test write the files.
 */
class HotStatementsTest {

  private static final Path FOLDER = Path.of("src/test/resources/statements");
  private static final Instant SLOT = Instant.parse("2026-03-01T00:00:01Z");
  private static final Duration HOUR = Duration.ofHours(1);
  private static final ChannelMessage MESSAGE = new ChannelMessage("channel", Duration.ZERO, false);

  /** Statements in the order of their first execution, without repetitions. */
  private final List<String> executed = new ArrayList<>();

  private final Map<String, List<String>> paths = new LinkedHashMap<>();

  @ParameterizedTest
  @ValueSource(strings = {"postgresql", "h2"})
  void areTheTextsInTheirFile(String kind) throws IOException {
    try (TestDatabase database = kind.equals("h2") ? TestDatabase.h2() : TestDatabase.postgres(2);
        Store store =
            SqlStore.open(
                recorded(database.pool()), new SqlStore.Options(SchemaMode.NONE, null, false))) {
      run(store, database);
    }
    StringBuilder text = new StringBuilder();
    paths.forEach((path, statements) -> {
      text.append("-- ").append(path).append("\n");
      statements.forEach(sql -> text.append("\n").append(sql.strip()).append(";\n"));
      text.append("\n");
    });
    Path file = FOLDER.resolve(kind + ".sql");
    if (Boolean.getBoolean("docs.write")) {
      Files.createDirectories(FOLDER);
      Files.writeString(file, text);
    } else {
      assertThat(text.toString())
          .as("run this test with -Ddocs.write=true to write " + file)
          .isEqualTo(Files.readString(file));
    }
  }

  private void run(Store store, TestDatabase database) {
    long executor =
        store
            .executors()
            .register(new ExecutorInfo.Identity("host", 1, "group", List.of(1), "1.0"), HOUR);
    StartSpec plain = new StartSpec("type", "group", 1);
    path("insert, plain", () -> store.instances().start(List.of(plain.build())));
    ClaimRequest request = new ClaimRequest(executor, "group", List.of(1), 1);
    List<WorkflowInstance> claimed = new ArrayList<>();
    path("claim", () -> claimed.add(claim(store, request)));
    path("save, plain", () -> save(store, new SaveSpec(claimed.getFirst()).to("next").keepLease()));
    path(
        "save of the end",
        () -> {
          WorkflowInstance held = store.queries().find(claimed.getFirst().id()).orElseThrow();
          save(store, new SaveSpec(held).end(InstanceStatus.FINISHED));
        });
    path(
        "insert with an external id and a variable",
        () ->
            store
                .instances()
                .start(
                    List.of(
                        new StartSpec("type", "group", 1)
                            .externalId("X-1")
                            .variable("v", "1")
                            .build())));
    path(
        "save of a failed attempt",
        () -> save(store, new SaveSpec(claim(store, request)).retry(Duration.ZERO)));
    path(
        "release",
        () -> store.instances().release(List.of(SaveSpec.fenceOf(claim(store, request)))));
    long id = claim(store, request).id();
    database.execute("UPDATE millrace_executor SET expires_at = started_at - INTERVAL '1' SECOND");
    path("recover", () -> store.executors().recover(executor, executor, 10, 3));
    assertThat(store.queries().find(id).orElseThrow().lease().recoveries()).isEqualTo(1);
    addSequence(store);
    path("fire", () -> fire(store));
    database.execute(
        "UPDATE millrace_instance SET status = 'finished', ended_at = created_at, next_activation_at = NULL");
    path(
        "record the ends of executions",
        () -> assertThat(store.role(SequenceStore.class).recordEnds(10)).isEqualTo(1));
    WorkflowInstance retried = retryFired(store, database, request);
    path("save with attached writes and a message", () -> save(store, attached(retried)));
    path(
        "insert with a message",
        () -> store.instances().start(List.of(plain.handover(MESSAGE).build())));
    runExecutorPaths(store, executor);
    runRetentionPaths(store, database);
  }

  /** Retries an execution that failed after its end was recorded, and claims it. */
  private WorkflowInstance retryFired(Store store, TestDatabase database, ClaimRequest request) {
    database.execute("UPDATE millrace_instance SET status = 'failed'");
    long fired = database.number("SELECT execution_id FROM millrace_slot_record");
    path(
        "retry of a fired execution",
        () ->
            assertThat(
                    store
                        .operators()
                        .apply(fired, new OperatorCommand.Retry(), OperatorAction.by("operator")))
                .isInstanceOf(OperatorStore.CommandResult.Applied.class));
    return claim(store, request);
  }

  private void runExecutorPaths(Store store, long executor) {
    path("list dead executors", () -> store.executors().expired("group"));
    path(
        "list forgotten executors",
        () -> assertThat(store.executors().recoveredOwners("group")).isEmpty());
    path("stop", () -> store.executors().markStopped(executor));
  }

  private void runRetentionPaths(Store store, TestDatabase database) {
    path("archive", () -> assertThat(store.retention().archive(Duration.ZERO, 10)).isPositive());
    database.execute("UPDATE millrace_executor SET stopped_at = started_at - INTERVAL '1' SECOND");
    path(
        "delete executors",
        () -> assertThat(store.retention().deleteExecutors(Duration.ZERO, 10)).isEqualTo(1));
    path("find overdue instances", () -> store.retention().overdue(Duration.ZERO));
  }

  private static SaveSpec attached(WorkflowInstance held) {
    return new SaveSpec(held)
        .due(new Due.After(HOUR))
        .handover(MESSAGE)
        .with(
            List.of(
                Put.set(new KeyId("keys", "key"), KeyContent.of("value")),
                new Commit("records", List.of(new ReduceToken("a", "1", 1, 9)), held.id())));
  }

  private void path(String name, Runnable work) {
    executed.clear();
    work.run();
    paths.put(name, List.copyOf(executed));
  }

  private static WorkflowInstance claim(Store store, ClaimRequest request) {
    return store.instances().claim(request).claimed().getFirst().instance();
  }

  private static void save(Store store, SaveSpec spec) {
    SaveRequest request = spec.build();
    assertThat(store.instances().save(List.of(request)))
        .singleElement()
        .isInstanceOf(SaveResult.Saved.class);
  }

  private static void addSequence(Store store) {
    HandlerReference work = new HandlerReference(null, "class");
    StoredTask task = new StoredTask(0, "task", "type", work, 0, "{}", 0);
    int taskId = ((ChangeResult.Done) store.role(TaskStore.class).add(task)).id();
    Flags flags = new Flags(true, true, false, false, null, null);
    StoredSequenceSpec spec = new StoredSequenceSpec("w", "type").tasks(taskId).group("group");
    store.role(SequenceStore.class).add(spec.flags(flags).times(SLOT, SLOT).build());
  }

  private static void fire(Store store) {
    FireBatchResult result =
        store
            .role(SequenceStore.class)
            .fireDue(
                "group",
                10,
                (now, due) ->
                    due.stream()
                        .map(sequence ->
                            StoredSequenceSpec.fire(sequence)
                                .next(SLOT.plus(HOUR), SLOT.plus(HOUR))
                                .start(SLOT, 0, new StartSpec("type", "group", 1))
                                .build())
                        .toList());
    assertThat(result.executions()).hasSize(1);
  }

  private DataSource recorded(DataSource target) {
    return Proxies.proxy(
        DataSource.class,
        (method, args) ->
            method.getName().equals("getConnection")
                ? recorded(target.getConnection())
                : Proxies.invoke(target, method, args));
  }

  private Connection recorded(Connection target) {
    return Proxies.proxy(
        Connection.class,
        (method, args) -> {
          if (method.getName().equals("prepareStatement") && !executed.contains(args[0])) {
            executed.add((String) args[0]);
          }
          return Proxies.invoke(target, method, args);
        });
  }
}
