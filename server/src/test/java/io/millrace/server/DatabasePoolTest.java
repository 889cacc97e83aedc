package io.millrace.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.server.config.DatabaseConfig;
import io.millrace.store.sql.SchemaMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the options that the server adds to the address of its database. */
class DatabasePoolTest {

  @ParameterizedTest
  @CsvSource({
    "jdbc:postgresql://db/app, jdbc:postgresql://db/app?loginTimeout=10&socketTimeout=60",
    "jdbc:postgresql://db/app?ssl=true,"
        + " jdbc:postgresql://db/app?ssl=true&loginTimeout=10&socketTimeout=60",
    "jdbc:postgresql:app?socketTimeout=0, jdbc:postgresql:app?socketTimeout=0&loginTimeout=10",
    "jdbc:postgresql:app?loginTimeout=3&socketTimeout=9,"
        + " jdbc:postgresql:app?loginTimeout=3&socketTimeout=9",
    "jdbc:h2:./data, jdbc:h2:./data;DB_CLOSE_ON_EXIT=FALSE;WRITE_DELAY=0",
    "jdbc:h2:./data;DB_CLOSE_ON_EXIT=TRUE, jdbc:h2:./data;DB_CLOSE_ON_EXIT=TRUE;WRITE_DELAY=0",
    "jdbc:h2:./data;write_delay=9, jdbc:h2:./data;write_delay=9;DB_CLOSE_ON_EXIT=FALSE",
  })
  void whatIsNotSaidIsAdded(String said, String used) {
    assertThat(DatabasePool.url(new DatabaseConfig(said, "millrace", "", 10, SchemaMode.CREATE)))
        .isEqualTo(used);
  }
}
