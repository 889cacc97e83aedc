package io.millrace.tests.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.fixtures.store.StoreKind;
import io.millrace.store.StoreException;
import io.millrace.testing.SettableClock;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Tests in which many threads run all operations at once on very few instances, for the time in the
 * system property {@code tests.deadlock.seconds}. No caller sees a deadlock or any other exception
 * than a lock timeout, and every history is complete afterwards.
 */
@Tag("races")
class DeadlockTest {

  private static final int THREADS = 64;

  /**
   * Minimum number of steps of each thread, so that every operation occurs even if time is short.
   */
  private static final int MIN_STEPS = 20;

  /**
   * SQL states of lock timeouts in PostgreSQL and H2; the last is that of a statement that has
   * waited for its whole limit.
   */
  private static final Set<String> LOCK_TIMEOUTS = Set.of("55P03", "HYT00", "57014");

  private static final long SECONDS = Long.getLong("tests.deadlock.seconds", 20);
  private static final long SEED = Long.getLong("tests.deadlock.seed", 20260301);

  /** Both databases are tested at the same time. */
  @Test
  @Timeout(value = 15, unit = TimeUnit.MINUTES)
  void noCallerEverSeesADeadlock() throws InterruptedException {
    List<Run> runs = List.of(new Run(StoreKind.POSTGRES), new Run(StoreKind.H2));
    try {
      List<Thread> threads = new ArrayList<>();
      runs.forEach(run -> threads.addAll(run.start()));
      for (Thread thread : threads) {
        thread.join();
      }
      runs.forEach(Run::report);
      runs.forEach(Run::check);
    } finally {
      runs.forEach(Run::close);
    }
  }

  /** The run on one database. */
  private static final class Run {
    private final StoreKind kind;
    private final StoreKind.OpenStore open;
    private final RandomStoreOperations randomStoreOperations;
    private final Map<String, Integer> counts = new ConcurrentHashMap<>();
    private final Queue<String> errors = new ConcurrentLinkedQueue<>();
    private final long deadlocksBefore;

    Run(StoreKind kind) {
      SettableClock clock = SettableClock.at(Instant.parse("2026-03-01T12:00:00Z"));
      this.kind = kind;
      this.open = kind.open(clock);
      this.randomStoreOperations = new RandomStoreOperations(open.store(), clock);
      this.deadlocksBefore = deadlocks();
    }

    List<Thread> start() {
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        Random random = new Random(SEED + i);
        threads.add(Thread.ofPlatform().start(() -> work(random, end)));
      }
      return threads;
    }

    private void work(Random random, long end) {
      List<String> names = List.copyOf(randomStoreOperations.operations().keySet());
      for (int step = 0; step < MIN_STEPS || System.nanoTime() < end; step++) {
        String name = names.get(random.nextInt(names.size()));
        try {
          randomStoreOperations.operations().get(name).run(random);
          counts.merge(name, 1, Integer::sum);
        } catch (RuntimeException | Error e) {
          if (isLockTimeout(e)) {
            counts.merge("lock timeouts", 1, Integer::sum);
          } else {
            errors.add(name + ": " + e);
          }
        }
      }
    }

    /**
     * True for a lock timeout; on a slow machine another transaction may hold its locks for too
     * long, which is no deadlock.
     */
    private static boolean isLockTimeout(Throwable e) {
      return e instanceof StoreException
          && e.getCause() instanceof SQLException cause
          && LOCK_TIMEOUTS.contains(String.valueOf(cause.getSQLState()));
    }

    void report() {
      System.out.println(
          "DeadlockTest: "
              + kind
              + " seed "
              + SEED
              + ": "
              + counts
              + ", deadlocks that the database has counted: "
              + (deadlocks() - deadlocksBefore)
              + ", errors: "
              + errors.size());
    }

    void check() {
      assertThat(errors).as("what callers on %s saw", kind).isEmpty();
      assertThat(counts.keySet()).containsAll(randomStoreOperations.operations().keySet());
      for (boolean archived : List.of(false, true)) {
        assertThat(number(of(GAPS, archived))).as("gaps in %s", kind).isZero();
        assertThat(number(of(BREAKS, archived))).as("breaks in %s", kind).isZero();
      }
      assertThat(number(WRONG_COUNTS)).as("counts in %s", kind).isZero();
    }

    private static final String GAPS =
        """
        SELECT count(*) FROM INSTANCES w WHERE
          w.seq <> (SELECT count(*) FROM ACTIONS a WHERE a.instance_id = w.id)
          OR w.seq <> (SELECT COALESCE(max(a.seq), 0) FROM ACTIONS a WHERE a.instance_id = w.id)
        """;

    private static final String BREAKS =
        """
        SELECT count(*) FROM ACTIONS a
        JOIN ACTIONS b ON b.instance_id = a.instance_id AND b.seq = a.seq - 1
        WHERE a.from_state <> b.to_state OR a.lease_version < b.lease_version
        """;

    private static final String WRONG_COUNTS =
        """
        SELECT count(*) FROM millrace_instance w WHERE
          w.inbox_count <> (SELECT count(*) FROM millrace_message s
            WHERE s.instance_id = w.id AND s.consumed_seq IS NULL)
          OR w.variable_count <> (SELECT count(*) FROM millrace_variable v
            WHERE v.instance_id = w.id)
          OR (w.ended_at IS NULL AND w.open_child_count <> (SELECT count(*) FROM millrace_instance c
            WHERE c.parent_id = w.id AND c.ended_at IS NULL))
        """;

    private static String of(String sql, boolean archived) {
      return sql.replace("INSTANCES", archived ? "millrace_archive_instance" : "millrace_instance")
          .replace("ACTIONS", archived ? "millrace_archive_history" : "millrace_history");
    }

    private long deadlocks() {
      return kind == StoreKind.POSTGRES
          ? number("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()")
          : 0;
    }

    private long number(String sql) {
      DataSource database = open.dataSource();
      try (Connection connection = database.getConnection();
          Statement statement = connection.createStatement();
          ResultSet rows = statement.executeQuery(sql)) {
        rows.next();
        return rows.getLong(1);
      } catch (SQLException e) {
        throw new IllegalStateException("'" + sql + "' failed", e);
      }
    }

    void close() {
      open.close();
    }
  }
}
