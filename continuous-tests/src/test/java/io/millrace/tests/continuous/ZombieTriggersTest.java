package io.millrace.tests.continuous;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Engine;
import io.millrace.fixtures.ChildJvm;
import io.millrace.fixtures.ConditionPoller;
import io.millrace.fixtures.TestDatabase;
import io.millrace.instance.HistoryEntry;
import io.millrace.instance.HistoryEntryType;
import io.millrace.instance.InstanceQuery;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.WorkflowInstance;
import io.millrace.store.StoredContinuousWorkflow;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Tests of a process that owns triggers and is frozen by SIGSTOP past its lease, in the middle of
 * three events. It learns nothing of that when SIGCONT lets it continue.
 */
@Timeout(300)
@Tag("kills")
class ZombieTriggersTest {

  private static final int FIRST = 10;
  private static final int ALL = 15;
  private static final int TERMINATED = 143;
  private static final List<String> NAMES =
      List.of(
          TriggersProcess.ROWS,
          TriggersProcess.HOOK,
          TriggersProcess.NUMBERS,
          TriggersProcess.TICKS);
  private static final List<String> HELD = NAMES.subList(0, 3);

  /** A process, its executor id, and its process id. */
  private record Worker(ChildJvm jvm, long executor, long pid) {
    static Worker start(TestDatabase database, String... more) throws Exception {
      String[] args = new String[more.length + 1];
      args[0] = database.url();
      System.arraycopy(more, 0, args, 1, more.length);
      ChildJvm jvm = ChildJvm.start(TriggersProcess.class, args);
      String[] ready = jvm.await(1, "READY ").getFirst().split(" ", -1);
      return new Worker(jvm, Long.parseLong(ready[1]), Long.parseLong(ready[2]));
    }
  }

  @Test
  void nothingThatAZombieWritesCounts() throws Exception {
    try (TestDatabase database = TestDatabase.postgres();
        Engine client =
            Engine.builder()
                .dataSource(database.pool())
                .settings(s -> s.runsInstances(false))
                .start()) {
      database.execute("CREATE TABLE source_rows (id int PRIMARY KEY)");
      Worker zombie = Worker.start(database, "holds");
      try (ChildJvm first = zombie.jvm) {
        ConditionPoller.await("all are owned", () -> areOwnedBy(client, zombie.executor));
        bring(database, client, 1, FIRST);
        for (String name : HELD) {
          first.await(1, "HELD " + name);
        }
        first.await(3, "BEGIN ticks");
        first.freeze();
        Worker heir = Worker.start(database);
        try (ChildJvm second = heir.jvm) {
          ConditionPoller.await("the heir owns all", () -> areOwnedBy(client, heir.executor));
          ConditionPoller.await("all events are over", () -> areOver(client, FIRST));
          second.await(3, "BEGIN ticks");
          List<StoredContinuousWorkflow> before = held(client);
          first.tell("go on");
          first.thaw();
          first.await(2, "REFUSED ");
          first.await(1, "WENT ON ");
          second.await(second.seen().size() + 3, line -> true);
          assertThat(held(client)).isEqualTo(before);
          assertHeldEventsAreTheHeirs(client, heir);
          assertThat(second.terminate()).isEqualTo(TERMINATED);
        }
        ConditionPoller.await(
            "the zombie has restarted", () -> areOwnedByOtherThan(client, heir.executor));
        bring(database, client, FIRST + 1, ALL);
        ConditionPoller.await("the later events are over", () -> areOver(client, ALL));
        assertThat(first.terminate()).isEqualTo(TERMINATED);
      }
      assertNoneIsLostOrDoubled(client);
      assertTicksFollowEachOther(client);
      assertThat(
              database.number(
                  "SELECT count(*) FROM millrace_continuous_workflow WHERE executor_id > 0"))
          .isZero();
    }
  }

  private static void bring(TestDatabase database, Engine client, int from, int to) {
    for (int i = from; i <= to; i++) {
      database.execute("INSERT INTO source_rows VALUES (" + i + ")");
      client.continuous().offer(TriggersProcess.HOOK, "k" + i, i);
    }
  }

  private static StoredContinuousWorkflow row(Engine client, String name) {
    return client.continuous().get(name);
  }

  private static boolean areOwnedBy(Engine client, long executor) {
    return NAMES.stream()
        .map(client.continuous()::find)
        .allMatch(
            row -> row.isPresent() && Objects.equals(row.get().ownership().executorId(), executor));
  }

  private static boolean areOwnedByOtherThan(Engine client, long executor) {
    return NAMES.stream()
        .map(name -> row(client, name).ownership().executorId())
        .allMatch(owner -> owner != null && owner != executor);
  }

  private static int count(String name, int brought) {
    return name.equals(TriggersProcess.NUMBERS) ? TriggersProcess.LAST : brought;
  }

  private static boolean areOver(Engine client, int brought) {
    return HELD.stream()
        .allMatch(name ->
            row(client, name).activity().fires() == count(name, brought)
                && row(client, name).activity().executionId() == null);
  }

  private static List<StoredContinuousWorkflow> held(Engine client) {
    return HELD.stream().map(name -> row(client, name)).toList();
  }

  private static List<WorkflowInstance> executions(Engine client, String name) {
    return client
        .client()
        .search(InstanceQuery.all().type(name).limit(InstanceQuery.MAX_LIMIT))
        .items()
        .stream()
        .sorted(Comparator.comparingLong(WorkflowInstance::id))
        .toList();
  }

  private static void assertHeldEventsAreTheHeirs(Engine client, Worker heir) {
    for (String name : HELD) {
      WorkflowInstance held = executions(client, name).get(TriggersProcess.HELD - 1);
      List<HistoryEntry> history = client.client().history(held.id());
      assertThat(history)
          .filteredOn(historyEntry -> historyEntry.type() == HistoryEntryType.STATE_EXECUTION)
          .singleElement()
          .satisfies(historyEntry -> {
            assertThat(historyEntry.author().executorId()).isEqualTo(heir.executor);
            assertThat(historyEntry.outcome().reason()).isEqualTo("done by " + heir.pid);
          });
      assertThat(value(client, name, "n" + TriggersProcess.HELD)).isEqualTo("" + heir.pid);
      assertThat(value(client, "checkpoint:" + name + "#" + held.id(), "last"))
          .isEqualTo("\"" + TriggersProcess.HELD + " by " + heir.pid + "\"");
      assertThat(
              client
                  .reduce(name)
                  .key("/id")
                  .reduce(List.of(TriggersProcess.record(TriggersProcess.HELD, heir.pid)))
                  .changed())
          .as("what of %s is not committed as the heir has it", name)
          .isEmpty();
    }
  }

  private static String value(Engine client, String group, String key) {
    return client.keyValues().get(group, key).orElseThrow().value();
  }

  private static void assertNoneIsLostOrDoubled(Engine client) {
    for (String name : HELD) {
      List<WorkflowInstance> executions = executions(client, name);
      assertThat(executions).as(name).hasSize(count(name, ALL));
      assertThat(executions).allMatch(one -> one.status() == InstanceStatus.FINISHED);
      assertThat(executions)
          .extracting(one -> one.origin().externalId())
          .doesNotContainNull()
          .doesNotHaveDuplicates();
      assertThat(IntStream.rangeClosed(1, count(name, ALL)))
          .allMatch(n -> client.keyValues().get(name, "n" + n).isPresent());
    }
  }

  private static void assertTicksFollowEachOther(Engine client) {
    List<WorkflowInstance> ticks = executions(client, TriggersProcess.TICKS);
    assertThat(ticks).hasSize((int) row(client, TriggersProcess.TICKS).activity().fires());
    assertThat(ticks)
        .extracting(one -> one.origin().externalId())
        .doesNotContainNull()
        .doesNotHaveDuplicates();
    for (int i = 1; i < ticks.size(); i++) {
      Instant ended = Objects.requireNonNull(ticks.get(i - 1).timing().ended());
      assertThat(ticks.get(i).timing().created()).isAfterOrEqualTo(ended);
    }
  }
}
