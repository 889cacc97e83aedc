package io.millrace.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.millrace.server.config.DatabaseConfig;
import io.millrace.store.sql.SchemaMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the permissions of the files in which H2 keeps all data. */
class DatabaseFilesTest {

  @TempDir private Path folder;

  private static String permissions(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  private static void use(Path base) throws SQLException {
    DatabaseConfig databaseConfig =
        new DatabaseConfig("jdbc:h2:file:" + base, "millrace", "", 4, SchemaMode.CREATE);
    try (HikariDataSource pool = DatabasePool.open(databaseConfig);
        Connection connection = pool.getConnection()) {
      connection.createStatement().execute("CREATE TABLE IF NOT EXISTS t (id int)");
    }
  }

  @Test
  void aNewDatabaseIsForItsOwnerOnly() throws Exception {
    Path base = folder.resolve("data/millrace");
    use(base);
    assertThat(permissions(folder.resolve("data"))).isEqualTo("rwx------");
    assertThat(permissions(folder.resolve("data/millrace.mv.db"))).isEqualTo("rw-------");
    use(base);
  }

  @Test
  void anOldDatabaseBecomesSo() throws Exception {
    Path base = folder.resolve("millrace");
    use(base);
    Path file = folder.resolve("millrace.mv.db");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    use(base);
    assertThat(permissions(file)).isEqualTo("rw-------");
  }
}
