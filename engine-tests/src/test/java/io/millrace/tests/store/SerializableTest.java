package io.millrace.tests.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.millrace.fixtures.TestDatabase;
import io.millrace.fixtures.store.RaceRunner;
import io.millrace.fixtures.store.StartSpec;
import io.millrace.store.OperatorStore.SignalRequest;
import io.millrace.store.Store;
import io.millrace.store.StoreException;
import io.millrace.store.sql.SchemaMode;
import io.millrace.store.sql.SqlStore;
import io.millrace.testing.SettableClock;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests of databases whose transactions are serializable by default. They undo more transactions
 * than others do, and no caller sees that.
 */
@Timeout(600)
@Tag("races")
class SerializableTest {

  private static final int THREADS = 32;
  private static final int SIGNALS = 50;
  private static final int STEPS = 60;

  /** SQL states of lock timeouts in PostgreSQL and H2. */
  private static final Set<String> LOCK_TIMEOUTS = Set.of("55P03", "HYT00");

  private final Queue<String> errors = new ConcurrentLinkedQueue<>();

  static List<Named<Supplier<TestDatabase>>> databases() {
    return List.of(
        Named.of("H2", TestDatabase::h2), Named.of("PostgreSQL", TestDatabase::postgres));
  }

  private static HikariDataSource serializable(TestDatabase database) {
    HikariDataSource pool = new HikariDataSource();
    pool.setJdbcUrl(database.url());
    pool.setMaximumPoolSize(12);
    pool.setTransactionIsolation("TRANSACTION_SERIALIZABLE");
    pool.setConnectionTimeout(RaceRunner.LIMIT.toMillis());
    return pool;
  }

  /** Runs {@code step} the given number of times on each thread, and records the exceptions. */
  private void race(int times, Consumer<Random> step) throws Exception {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      Random random = new Random(i);
      threads.add(
          Thread.ofPlatform()
              .start(() -> {
                for (int n = 0; n < times; n++) {
                  try {
                    step.accept(random);
                  } catch (StoreException e) {
                    note(e);
                  }
                }
              }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }

  /** Records an exception, unless it is a lock timeout of a start, which is no conflict. */
  private void note(StoreException e) {
    if (!(e.getCause() instanceof SQLException cause
        && LOCK_TIMEOUTS.contains(cause.getSQLState()))) {
      errors.add(e.toString());
    }
  }

  @ParameterizedTest
  @MethodSource("databases")
  void noSignalIsRefused(Supplier<TestDatabase> open) throws Exception {
    try (TestDatabase database = open.get();
        HikariDataSource pool = serializable(database);
        Store store = SqlStore.open(pool, new SqlStore.Options(SchemaMode.CREATE, null, false))) {
      int definition = store.definitions().save("type", 1, "hash", "{}").id();
      long id =
          store
              .instances()
              .start(List.of(new StartSpec("type", "group", definition).build()))
              .getFirst()
              .id();
      race(
          SIGNALS,
          random -> store.operators().signal(new SignalRequest(id, "go", "1", "bob", null)));
      assertThat(errors.stream().limit(5)).isEmpty();
      assertThat(store.queries().find(id).orElseThrow().details().inboxCount())
          .isEqualTo(THREADS * SIGNALS);
    }
  }

  @ParameterizedTest
  @MethodSource("databases")
  void nothingOfTheStoreFails(Supplier<TestDatabase> open) throws Exception {
    SettableClock clock = SettableClock.at(Instant.parse("2026-03-01T12:00:00Z"));
    try (TestDatabase database = open.get();
        HikariDataSource pool = serializable(database);
        Store store = SqlStore.open(pool, new SqlStore.Options(SchemaMode.CREATE, clock, false))) {
      RandomStoreOperations random = new RandomStoreOperations(store, clock);
      List<String> names = List.copyOf(random.operations().keySet());
      Map<String, Integer> counts = new ConcurrentHashMap<>();
      race(
          STEPS,
          chance -> {
            String name = names.get(chance.nextInt(names.size()));
            random.operations().get(name).run(chance);
            counts.merge(name, 1, Integer::sum);
          });
      assertThat(errors.stream().limit(5)).isEmpty();
      assertThat(counts.keySet()).containsAll(random.operations().keySet());
    }
  }
}
