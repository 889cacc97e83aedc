package io.millrace.tests.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.millrace.Engine;
import io.millrace.fixtures.Proxies;
import io.millrace.fixtures.TestDatabase;
import io.millrace.lifecycle.EngineSettings;
import io.millrace.tests.support.CapturedLog;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that an engine with more handlers than connections logs a warning when it starts. */
class PoolSizeWarningTest {

  private static final String WARNING = "small for the number of handlers";

  private static String logOfStart(DataSource pool, UnaryOperator<EngineSettings> settings) {
    try (CapturedLog log = new CapturedLog()) {
      Engine.builder().dataSource(pool).settings(settings).start().close();
      return log.text();
    }
  }

  @Test
  void namesBothNumbersAndTheRemedy() {
    try (TestDatabase database = TestDatabase.h2();
        HikariDataSource pool = database.open(10)) {
      assertThat(logOfStart(pool, settings -> settings.concurrency(64)))
          .contains(WARNING)
          .contains("64 handlers at a time share 10 connections, of which the engine needs 4.")
          .contains("Enlarge the pool to 4 connections plus one for each handler")
          .contains("set the concurrency to 48 or less");
    }
  }

  @ParameterizedTest(name = "{0} handlers, {1} connections")
  @CsvSource({"8, 12", "64, 16", "48, 10", "8, 4"})
  void isSilentWhereThePoolCanServeTheHandlers(int handlers, int connections) {
    try (TestDatabase database = TestDatabase.h2();
        HikariDataSource pool = database.open(connections)) {
      assertThat(logOfStart(pool, settings -> settings.concurrency(handlers)))
          .doesNotContain(WARNING);
    }
  }

  @Test
  void isSilentForAnEngineThatRunsNoInstances() {
    try (TestDatabase database = TestDatabase.h2();
        HikariDataSource pool = database.open(4)) {
      assertThat(logOfStart(pool, settings -> settings.concurrency(64).runsInstances(false)))
          .doesNotContain(WARNING);
    }
  }

  @Test
  void isSilentForAPoolOfUnknownSize() {
    try (TestDatabase database = TestDatabase.h2();
        HikariDataSource pool = database.open(4)) {
      DataSource unknown =
          Proxies.proxy(DataSource.class, (method, args) -> Proxies.invoke(pool, method, args));
      assertThat(logOfStart(unknown, settings -> settings.concurrency(64))).doesNotContain(WARNING);
    }
  }
}
