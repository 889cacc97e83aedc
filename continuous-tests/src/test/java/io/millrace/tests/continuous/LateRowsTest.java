package io.millrace.tests.continuous;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.fixtures.Patience;
import io.millrace.fixtures.TestDatabase;
import io.millrace.store.RowReader;
import io.millrace.store.RowReader.Row;
import io.millrace.store.sql.SqlRowReader;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests of rows whose transactions commit later than others with higher values. */
@Tag("races")
class LateRowsTest {

  private static final int WRITERS = 8;
  private static final int PAIRS = 50;

  private final AtomicInteger reads = new AtomicInteger();
  private final List<String> seen = new ArrayList<>();
  private TestDatabase database = TestDatabase.emptyH2();
  private @Nullable String position;

  @AfterEach
  void close() {
    database.close();
  }

  private void open(boolean postgres) {
    if (postgres) {
      database.close();
      database = TestDatabase.emptyPostgres(2 * WRITERS + 2);
    }
    database.execute("CREATE SEQUENCE numbers");
    database.execute(
        "CREATE TABLE orders (id BIGINT PRIMARY KEY, changed_at TIMESTAMP(6) WITH TIME ZONE)");
  }

  private void read(RowReader rows) {
    for (Row row : rows.read(position, 50)) {
      seen.add(row.id());
      position = row.position();
    }
    reads.incrementAndGet();
  }

  private void readUntil(RowReader rows, int count) {
    until(() -> {
      read(rows);
      return seen.size() >= count;
    });
  }

  private static void until(BooleanSupplier condition) {
    long deadline = System.nanoTime() + Patience.LIMIT.toNanos();
    while (!condition.getAsBoolean() && System.nanoTime() < deadline) {
      LockSupport.parkNanos(2_000_000);
    }
  }

  private Connection begin() throws SQLException {
    Connection connection = database.pool().getConnection();
    connection.setAutoCommit(false);
    return connection;
  }

  private long insert(Connection connection, boolean postgres) throws SQLException {
    String next = postgres ? "nextval('numbers')" : "NEXT VALUE FOR numbers";
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT " + next)) {
      row.next();
      long id = row.getLong(1);
      try (PreparedStatement insert =
          connection.prepareStatement("INSERT INTO orders VALUES (?, CURRENT_TIMESTAMP)")) {
        insert.setLong(1, id);
        insert.executeUpdate();
      }
      return id;
    }
  }

  private static void commit(Connection connection) throws SQLException {
    connection.commit();
    connection.setAutoCommit(true);
    connection.close();
  }

  /** Writes two rows at a time, and commits the earlier one after the later one could be read. */
  private void write(boolean postgres, CountDownLatch done) throws SQLException {
    try {
      for (int i = 0; i < PAIRS; i++) {
        Connection early = begin();
        insert(early, postgres);
        Connection late = begin();
        insert(late, postgres);
        commit(late);
        int before = reads.get();
        until(() -> reads.get() > before + 1);
        commit(early);
      }
    } finally {
      done.countDown();
    }
  }

  @ParameterizedTest
  @CsvSource({"true,id", "true,changed_at", "false,id", "false,changed_at"})
  void rowsThatAreCommittedOutOfOrderAreReadOnce(boolean postgres, String watermark)
      throws InterruptedException, ExecutionException {
    open(postgres);
    SqlRowReader rows = SqlRowReader.of(database.pool(), "SELECT * FROM orders", "id", watermark);
    CountDownLatch done = new CountDownLatch(WRITERS);
    try (ExecutorService threads = Executors.newFixedThreadPool(WRITERS)) {
      List<Future<?>> writers =
          IntStream.range(0, WRITERS)
              .<Future<?>>mapToObj(i ->
                  threads.submit(() -> {
                    write(postgres, done);
                    return i;
                  }))
              .toList();
      while (done.getCount() > 0) {
        read(rows);
      }
      for (Future<?> writer : writers) {
        writer.get();
      }
    }
    readUntil(rows, WRITERS * PAIRS * 2);
    assertThat(seen).hasSize(WRITERS * PAIRS * 2).doesNotHaveDuplicates();
  }

  @Test
  void aTransactionThatHasNotWrittenYetIsWaitedFor() throws SQLException {
    open(true);
    RowReader rows =
        SqlRowReader.of(database.pool(), "SELECT * FROM orders", "id", "changed_at")
            .lag(Duration.ZERO);
    Connection early = begin();
    try (Statement statement = early.createStatement()) {
      statement.execute("SELECT 1");
    }
    assertLaterRowIsHeldBack(rows);
    assertThat(rows.isWaiting()).isTrue();
    insert(early, true);
    commit(early);
    readUntil(rows, 2);
    assertThat(seen).hasSize(2);
    assertThat(seen.getFirst()).startsWith("2|");
    assertThat(rows.isWaiting()).isFalse();
  }

  @Test
  void readersAreNotWaitedForWhenOnlyWritersCount() throws SQLException {
    open(true);
    RowReader rows =
        SqlRowReader.of(database.pool(), "SELECT * FROM orders", "id", "id").waitForWritersOnly();
    Connection writer = begin();
    insert(writer, true);
    Connection reader = begin();
    try (Statement statement = reader.createStatement()) {
      statement.execute("SELECT * FROM orders");
    }
    assertLaterRowIsHeldBack(rows);
    commit(writer);
    readUntil(rows, 2);
    assertThat(seen).containsExactly("1", "2");
    commit(reader);
  }

  private void assertLaterRowIsHeldBack(RowReader rows) throws SQLException {
    Connection late = begin();
    insert(late, true);
    commit(late);
    for (int i = 0; i < 3; i++) {
      read(rows);
    }
    assertThat(seen).isEmpty();
  }
}
