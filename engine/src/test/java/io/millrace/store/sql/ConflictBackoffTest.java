package io.millrace.store.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.lifecycle.EngineClock;
import io.millrace.lifecycle.EngineRuntime;
import io.millrace.lifecycle.Loop;
import io.millrace.lifecycle.Runner;
import io.millrace.lifecycle.RunningTask;
import io.millrace.lifecycle.Waiter;
import io.millrace.store.StoreException;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A transaction that was rolled back because of a conflict is retried, with pauses, until its time
 * is over.
 */
class ConflictBackoffTest {

  private final List<Duration> pauses = new ArrayList<>();
  private long now = 42;

  private final EngineRuntime runtime =
      new EngineRuntime(
          new EngineClock() {
            @Override
            public Instant instant() {
              return Instant.EPOCH;
            }

            @Override
            public long nanoTime() {
              return now;
            }
          },
          new PausingRunner(),
          new Random(1));

  private final JdbcDataSource database = database();
  private final Jdbc jdbc =
      new Jdbc(
          database, new H2Dialect(), null, SqlHooks.NONE, new PooledConnections(database, runtime));
  private int tries;

  private static JdbcDataSource database() {
    JdbcDataSource database = new JdbcDataSource();
    database.setURL("jdbc:h2:mem:" + UUID.randomUUID());
    return database;
  }

  /** A runner whose waiters let the time pass at once. */
  private final class PausingRunner implements Runner {
    @Override
    public Loop loop(String name, Loop.Work work) {
      throw new UnsupportedOperationException(name);
    }

    @Override
    public RunningTask run(String name, Runnable task) {
      throw new UnsupportedOperationException(name);
    }

    @Override
    public Waiter waiter() {
      return new Waiter() {
        @Override
        public boolean await(Duration limit) throws InterruptedException {
          if (Thread.interrupted()) {
            throw new InterruptedException();
          }
          pauses.add(limit);
          now += limit.toNanos();
          return false;
        }

        @Override
        public void wake() {}
      };
    }
  }

  private int failing(int times, String state) throws SQLException {
    if (tries++ < times) {
      throw new SQLException("undone", state);
    }
    return tries;
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(strings = {"40001", "40P01", "90131"})
  void aConflictIsRepeatedWithGrowingPauses(String state) {
    assertThat(jdbc.<Integer>transaction("try", session -> failing(12, state))).isEqualTo(13);
    assertThat(jdbc.<Integer>run("try", session -> failing(25, state))).isEqualTo(26);
    assertThat(pauses).hasSize(24);
    assertThat(pauses.getFirst()).isBetween(Duration.ofMillis(2), Duration.ofMillis(4));
    assertThat(pauses.get(11)).isBetween(Duration.ofMillis(128), Duration.ofMillis(256));
  }

  @Test
  void theLimitIsATimeAndNotANumber() {
    assertThatThrownBy(() ->
            jdbc.transaction(
                "try", StatementTimeout.URGENT, session -> failing(Integer.MAX_VALUE, "40001")))
        .isInstanceOfSatisfying(StoreException.class, e -> assertThat(e.blocked()).isTrue());
    Duration waited = pauses.stream().reduce(Duration.ZERO, Duration::plus);
    assertThat(waited).isBetween(Duration.ofMillis(2_744), Duration.ofSeconds(3));
  }

  @Test
  void whoHasLostThreeTimesTriesAlone() throws InterruptedException {
    PooledConnections connections = new PooledConnections(database);
    AtomicInteger together = new AtomicInteger();
    AtomicInteger mostTogether = new AtomicInteger();
    Queue<SQLException> refused = new ConcurrentLinkedQueue<>();
    Runnable caller =
        () -> {
          AtomicInteger own = new AtomicInteger();
          try {
            connections.run(
                Duration.ofHours(1),
                connection -> {
                  int number = own.incrementAndGet();
                  if (number > 3) {
                    mostTogether.accumulateAndGet(together.incrementAndGet(), Math::max);
                    connection.createStatement().execute("SELECT 1");
                    together.decrementAndGet();
                  }
                  if (number < 6) {
                    throw new SQLException("undone", "40001");
                  }
                  return number;
                });
          } catch (SQLException e) {
            refused.add(e);
          }
        };
    List<Thread> callers =
        Stream.generate(() -> Thread.ofPlatform().start(caller)).limit(8).toList();
    for (Thread one : callers) {
      one.join();
    }
    assertThat(refused).isEmpty();
    assertThat(mostTogether).hasValue(1);
  }

  @Test
  void anInterruptedCallerWaitsNoLonger() {
    Thread.currentThread().interrupt();

    assertThatThrownBy(() -> jdbc.transaction("try", session -> failing(2, "40001")))
        .isInstanceOf(StoreException.class);
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void nothingElseIsRepeated() {
    assertThatThrownBy(() -> jdbc.transaction("try", session -> failing(1, "08006")))
        .isInstanceOf(StoreException.class);
    assertThat(pauses).isEmpty();
  }
}
