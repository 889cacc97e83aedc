package io.millrace.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.instance.MillraceException;
import io.millrace.lifecycle.EngineRuntime;
import io.millrace.server.security.GeneratedLogin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the demo's folder: created once, kept, and never left incomplete. */
final class DemoTest {

  private static final int DAYS = 1;

  /** Messages of the creation of the history, which the tests share because it takes seconds. */
  @TempDir private static Path shared;

  private static List<String> said;

  @TempDir private Path folder;

  /** Creates the history where a process died before its own was complete. */
  @BeforeAll
  static void makeAHistory() throws IOException {
    Files.writeString(shared.resolve("unfinished.mv.db"), "the beginning of a database");
    said = prepare(shared, false);
  }

  private static Demo open(Path folder) {
    return Demo.open(folder, folder.resolve("none"), EngineRuntime.system(), DAYS);
  }

  private Demo open() {
    return open(folder);
  }

  private static List<String> prepare(Path folder, boolean fresh) {
    List<String> said = new ArrayList<>();
    try (Demo demo = open(folder)) {
      demo.prepare(fresh, said::add, line -> {});
    }
    return said;
  }

  private static Path file(Path folder) {
    return folder.resolve("millrace.mv.db");
  }

  @Test
  void makesAHistoryAndKeepsIt() throws IOException {
    assertThat(said).last().asString().matches("replayed 1 days .* \\d+ workflows.*");
    FileTime made = Files.getLastModifiedTime(file(shared));

    assertThat(prepare(shared, false)).singleElement().asString().startsWith("continuing");
    assertThat(Files.getLastModifiedTime(file(shared))).isEqualTo(made);
  }

  @Test
  void throwsTheOldHistoryAwayWhenAsked() throws IOException {
    Files.writeString(file(folder), "an old history");

    assertThat(prepare(folder, true)).last().asString().startsWith("replayed");
  }

  @Test
  void givesAccessByAPasswordALinkAndAnApiKeyInAFileThatEndWithTheNextStart() throws IOException {
    Files.copy(file(shared), file(folder));
    assertThat(prepare(folder, false)).singleElement().asString().startsWith("continuing");
    try (Demo demo = open()) {
      DemoCredentials before = demo.access();
      String oldKey = Files.readString(before.keyFile());
      DemoCredentials access = demo.access();
      String key = Files.readString(access.keyFile());

      assertThat(access.keyFile()).isEqualTo(folder.resolve("api-key").toAbsolutePath());
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(access.keyFile())))
          .isEqualTo("rw-------");
      assertThat(key).startsWith("mr_").endsWith("\n").isNotEqualTo(oldKey);
      GeneratedLogin login = access.login();
      assertThat(login.user()).isEqualTo("demo").isEqualTo(before.login().user());
      assertThat(login.password()).hasSizeGreaterThan(15).isNotEqualTo(before.login().password());
      assertThat(access.linkToken()).hasSize(43).isNotEqualTo(before.linkToken());
      assertThat(access.toString())
          .doesNotContain(access.linkToken())
          .doesNotContain(login.password());
      assertThat(count(demo, "SELECT COUNT(*) FROM millrace_api_key")).isEqualTo(1);
      assertThat(count(demo, "SELECT COUNT(*) FROM millrace_login_link")).isEqualTo(1);
    }
  }

  private static int count(Demo demo, String sql) {
    JdbcConnectionPool pool =
        JdbcConnectionPool.create(demo.settings().get("database.url"), "demo", "");
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getInt(1);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    } finally {
      pool.dispose();
    }
  }

  @Test
  void startsAgainWhenAProcessDiedBeforeTheHistoryWasComplete() {
    assertThat(said).last().asString().startsWith("replayed");
    assertThat(file(shared)).exists();
    assertThat(shared.resolve("unfinished.mv.db")).doesNotExist();
  }

  @Test
  void isForOneProcessAtATime() {
    try (Demo first = open()) {
      assertThat(first.settings()).containsKey("database.url");
      assertThatThrownBy(this::open)
          .isInstanceOf(MillraceException.class)
          .hasMessageContaining("already runs");
    }
    open().close();
  }

  @Test
  void tellsAServerToStayOnThisMachine() {
    try (Demo demo = open()) {
      assertThat(demo.settings()).containsAllEntriesOf(Map.of("http.bind", "127.0.0.1"));
    }
  }
}
