package io.millrace.verification.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Engine;
import io.millrace.fixtures.ChildJvm;
import io.millrace.fixtures.ConditionPoller;
import io.millrace.fixtures.TestDatabase;
import io.millrace.lifecycle.EngineSettings;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Tests of a backlog far larger than the memory of the processes that work on it: the number of
 * instances that an engine holds, and that it recovers, is bounded. {@code -Dtests.due=N} sets
 * another size.
 */
@Timeout(600)
@Tag("kills")
class LargeBacklogTest {

  private static final int DUE = Integer.getInteger("tests.due", 1_000_000);
  private static final int FIRST = 50_000;
  private static final int SECOND = 20_000;

  private static final EngineSettings.Dispatching LIMITS = EngineSettings.defaults().dispatching();

  /**
   * Maximum number of held instances: those that run or are claimed ahead, as many that wait to be
   * saved, and those whose claims are on their way.
   */
  private static final long MAX_HELD = 3L * LIMITS.concurrency() + 2L * LIMITS.queueSize();

  /** More instances than a page of recovery. */
  private static final int FULL = 300;

  private static final int TERMINATED = 143;

  private static final String OVERLOAD =
      """
      INSERT INTO millrace_instance (type, version, definition_id, executor_group, priority, state,
        status, next_activation_at, created_at, modified_at, entered_at)
      SELECT d.type, d.version, d.id, 'millrace', 4, 'work', 'created',
        clock_timestamp() - i * INTERVAL '1 millisecond', now(), now(), now()
      FROM millrace_definition d, generate_series(1,
      """
          + DUE
          + ") i WHERE d.type = 'backlog'";

  private static final String HELD =
      "SELECT count(*) FROM millrace_instance WHERE executor_id IS NOT NULL";

  private static final String MAX_HELD_BY_ONE =
      """
      SELECT COALESCE(MAX(held), 0)
      FROM (SELECT count(*) AS held FROM millrace_instance
            WHERE executor_id IS NOT NULL GROUP BY executor_id) h
      """;

  private static final String FINISHED =
      "SELECT count(*) FROM millrace_instance WHERE ended_at IS NOT NULL";

  private static final String RECOVERIES =
      "SELECT count(*) FROM millrace_history WHERE type = 'recovery'";

  private static final String RAN_TWICE =
      """
      SELECT count(*)
      FROM (SELECT instance_id FROM millrace_history WHERE type LIKE 'stateExecution%'
            GROUP BY instance_id HAVING count(*) > 1) twice
      """;

  /**
   * Query of active sessions of the first process. It excludes a session that waits for the rest of
   * a message, which is rolled back when its client dies.
   */
  private static final String FIRST_IS_BUSY =
      """
      SELECT count(*) FROM pg_stat_activity
      WHERE application_name = 'first' AND state = 'active' AND wait_event IS DISTINCT FROM 'ClientRead'
      """;

  private long mostHeld;

  @Test
  void isWorkedOffInASmallHeapAcrossAKill() throws Exception {
    try (TestDatabase database = TestDatabase.postgres()) {
      register(database);
      long begin = System.nanoTime();
      database.execute(OVERLOAD);
      report("%,d due instances inserted in %.1f s%n", DUE, seconds(begin));
      long taken;
      try (ChildJvm first = start(database, "first")) {
        work(database, first, FIRST);
        taken = freezeWithFullQueue(database, first);
        first.kill();
      }
      long finished = database.number(FINISHED);
      try (ChildJvm second = start(database, "second")) {
        work(database, second, finished + SECOND);
        ConditionPoller.await(
            "all " + taken + " instances of the dead executor are recovered",
            () -> isRecovered(database, taken));
        assertThat(second.terminate()).isEqualTo(TERMINATED);
        assertThat(second.seen()).noneMatch(line -> line.contains("OutOfMemory"));
      }
      assertThat(database.number(HELD)).isZero();
      assertThat(database.number(RECOVERIES)).isEqualTo(taken);
      assertThat(database.number(RAN_TWICE)).isZero();
      report("%d held at most by one executor, %d recovered%n", mostHeld, taken);
    }
  }

  private static void register(TestDatabase database) {
    Engine.builder()
        .dataSource(database.pool())
        .workflows(BacklogProcess.definition())
        .settings(s -> s.runsInstances(false))
        .start()
        .close();
  }

  private static ChildJvm start(TestDatabase database, String name) throws Exception {
    ChildJvm child =
        ChildJvm.start(BacklogProcess.class, database.url() + "&ApplicationName=" + name);
    child.await(1, "READY");
    return child;
  }

  /** Waits until the given number of instances have ended. */
  private void work(TestDatabase database, ChildJvm child, long target) throws Exception {
    long before = database.number(FINISHED);
    long begin = System.nanoTime();
    ConditionPoller.await(
        target + " instances have ended",
        () -> {
          assertBounded(database, child);
          return database.number(FINISHED) >= target;
        });
    double took = seconds(begin);
    long done = database.number(FINISHED) - before;
    long heap =
        child.seen().stream()
            .filter(line -> line.startsWith("HEAP "))
            .mapToLong(line -> Long.parseLong(line.substring("HEAP ".length())))
            .max()
            .orElse(0);
    report(
        "%,d steps in %.1f s, %,.0f steps/s, at most %d MB of heap in use%n",
        done, took, done / took, heap);
  }

  private void assertBounded(TestDatabase database, ChildJvm child) {
    assertThat(child.isAlive()).as("alive; it said %s", child.seen()).isTrue();
    long held = database.number(MAX_HELD_BY_ONE);
    mostHeld = Math.max(mostHeld, held);
    assertThat(held).as("instances held by one executor").isLessThanOrEqualTo(MAX_HELD);
  }

  private static boolean isRecovered(TestDatabase database, long taken) {
    return database.number(RECOVERIES) >= taken;
  }

  /** Freezes a process with many instances, and returns their number, which no longer changes. */
  private static long freezeWithFullQueue(TestDatabase database, ChildJvm child) throws Exception {
    long[] held = new long[1];
    ConditionPoller.await(
        "a process is caught with more than " + FULL + " instances",
        () -> {
          child.freeze();
          ConditionPoller.await(
              "the database has carried out what it was asked for",
              () -> database.number(FIRST_IS_BUSY) == 0);
          held[0] = database.number(HELD);
          if (held[0] <= FULL) {
            child.thaw();
          }
          return held[0] > FULL;
        });
    return held[0];
  }

  private static double seconds(long sinceNanos) {
    return Duration.ofNanos(System.nanoTime() - sinceNanos).toMillis() / 1_000.0;
  }

  private static void report(String format, Object... values) {
    System.out.printf("LargeBacklogTest: " + format, values);
  }
}
