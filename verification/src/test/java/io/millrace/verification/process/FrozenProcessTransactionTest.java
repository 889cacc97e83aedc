package io.millrace.verification.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Engine;
import io.millrace.fixtures.ChildJvm;
import io.millrace.fixtures.ConditionPoller;
import io.millrace.fixtures.TestDatabase;
import io.millrace.instance.HistoryEntry;
import io.millrace.instance.HistoryEntryType;
import io.millrace.instance.StartRequest;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Tests of a process that is frozen, or whose machine is gone, with an open transaction. Its locks
 * must not keep others from the instances that the process held.
 */
@Timeout(300)
@Tag("kills")
class FrozenProcessTransactionTest {

  private static final String LEASE_MILLIS = "4000";
  private static final String WAITING = "wait_event_type = 'Lock'";

  @Test
  void ofAFrozenProcessDoesNotKeepOthersFromWhatItHeld() throws Exception {
    try (TestDatabase database = TestDatabase.postgres();
        ChildJvm zombie = worker(database, "zombie");
        Engine client =
            Engine.builder()
                .dataSource(database.pool())
                .workflows(WorkerProcess.writing())
                .settings(s -> s.runsInstances(false))
                .start()) {
      zombie.await(1, "READY");
      long id = freezeWithinItsSave(database, zombie, client);
      try (ChildJvm heir = worker(database, "heir")) {
        heir.await(1, "READY");
        ConditionPoller.await(
            "the instance of the frozen process is finished by the other",
            () ->
                database.number("SELECT count(*) FROM millrace_instance WHERE status = 'finished'")
                    == 1);
        zombie.thaw();
        heir.terminate();
      }
      zombie.terminate();
      List<HistoryEntry> history = client.client().history(id);
      assertThat(history)
          .extracting(HistoryEntry::type)
          .containsExactly(HistoryEntryType.RECOVERY, HistoryEntryType.STATE_EXECUTION);
    }
  }

  /**
   * Freezes the process within a save that has updated the instance and waits for a lock, which is
   * granted after the freeze.
   */
  private static long freezeWithinItsSave(TestDatabase database, ChildJvm zombie, Engine client)
      throws Exception {
    try (Connection lock = database.pool().getConnection()) {
      lock.setAutoCommit(false);
      execute(lock, "LOCK TABLE millrace_variable IN SHARE MODE");
      long id = client.client().start(StartRequest.of("writing")).id();
      zombie.await(1, "BEGIN write");
      freezeWhileItWaits(database, zombie);
      lock.rollback();
      awaitZombie(database, "state = 'idle in transaction'");
      return id;
    }
  }

  /**
   * Freezes the process while it waits for the lock; retries if the wait is over at the moment of
   * the freeze.
   */
  private static void freezeWhileItWaits(TestDatabase database, ChildJvm zombie) throws Exception {
    awaitZombie(database, WAITING);
    zombie.freeze();
    while (zombies(database, WAITING) == 0) {
      zombie.thaw();
      awaitZombie(database, WAITING);
      zombie.freeze();
    }
  }

  private static long zombies(TestDatabase database, String condition) {
    return database.number(
        "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'zombie' AND " + condition);
  }

  private static void awaitZombie(TestDatabase database, String condition) throws Exception {
    ConditionPoller.await(
        "a connection of the process with " + condition, () -> zombies(database, condition) > 0);
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static ChildJvm worker(TestDatabase database, String name) throws Exception {
    return ChildJvm.start(
        WorkerProcess.class, database.url() + "&ApplicationName=" + name, "none", LEASE_MILLIS);
  }
}
