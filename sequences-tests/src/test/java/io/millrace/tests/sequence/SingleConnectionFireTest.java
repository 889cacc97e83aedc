package io.millrace.tests.sequence;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.millrace.Engine;
import io.millrace.fixtures.TestDatabase;
import io.millrace.schedule.Frequency;
import io.millrace.schedule.Schedule;
import io.millrace.sequence.Task;
import io.millrace.sequence.TaskSequence;
import io.millrace.store.sql.SqlStore;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests that a schedule which is fired inside a transaction does not need a second connection. */
@Timeout(300)
@Tag("races")
class SingleConnectionFireTest {

  /**
   * Creates the tables first, because that needs a second connection, and returns a pool with one.
   */
  private static HikariDataSource tablesAndOneConnection(TestDatabase database) {
    SqlStore.open(database.pool(), SqlStore.Options.DEFAULT).close();
    return database.open(1);
  }

  @Test
  void schedulesAreFiredOverAPoolOfOneConnection() throws InterruptedException {
    CountDownLatch ran = new CountDownLatch(1);
    try (TestDatabase database = TestDatabase.postgres();
        HikariDataSource one = tablesAndOneConnection(database);
        Engine engine =
            Engine.builder()
                .dataSource(one)
                .task(Task.of("KPI", "Report"), task -> ran.countDown())
                .task(Task.of("LOST", "Lost").component("com.example.Missing"))
                .sequence(
                    TaskSequence.of("Report_1", "Report", Schedule.of(Frequency.MONTHLY))
                        .task("KPI"))
                .sequence(
                    TaskSequence.of("Lost_1", "Lost", Schedule.of(Frequency.MONTHLY)).task("LOST"))
                .start()) {
      // A thread that waits for a second connection times out after thirty seconds.
      assertThat(ran.await(25, TimeUnit.SECONDS)).isTrue();
      assertThat(engine.sequences().get("Lost_1").last()).isNotNull();
    }
  }
}
