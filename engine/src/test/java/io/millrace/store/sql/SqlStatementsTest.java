package io.millrace.store.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SqlStatementsTest {

  private static List<String> split(String text) {
    return SqlStatements.split(text).stream().map(SqlStatements.SqlStatement::sql).toList();
  }

  @Test
  void semicolonsEndStatements() {
    assertThat(split("SELECT 1;\n\n ; SELECT 2 ;SELECT 3\n"))
        .containsExactly("SELECT 1", "SELECT 2", "SELECT 3");
    assertThat(split(" \n; ;")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT 'a;b'",
        "SELECT 'it''s; so'",
        "SELECT \"a;\"\"b\"",
        "SELECT E'\\';'",
        "SELECT e'\\\\'",
        "SELECT 'back\\'",
        "SELECT 1 -- one; two 'three\n + 2",
        "SELECT 1 /* one; /* two; */ 'three */ + 2",
        "CREATE FUNCTION f() AS $$ BEGIN x; y; END $$",
        "CREATE FUNCTION f() AS $body$ SELECT $$a;$$; $body$ LANGUAGE sql",
        "SELECT $1, a$b$c",
        "SELECT like'a;b'",
        "SELECT 'ü;€'"
      })
  void otherSemicolonsDoNot(String statement) {
    assertThat(split(statement + ";\n" + "SELECT 2;")).containsExactly(statement, "SELECT 2");
  }

  @Test
  void aWordThatEndsWithEStartsNoStringWithEscapes() {
    assertThat(split("SELECT type'back\\'; SELECT 2")).hasSize(2);
  }

  @Test
  void commentsAloneAreNoStatement() {
    assertThat(split("-- only; this\n/* and; that */\n")).isEmpty();
    assertThat(split("SELECT 1; -- the end")).containsExactly("SELECT 1");
  }

  @Test
  void theLineIsThatOfTheFirstWord() {
    assertThat(SqlStatements.split("-- about\n\nSELECT 1;\n/* more */ SELECT\n2"))
        .extracting(SqlStatements.SqlStatement::line)
        .containsExactly(3, 4);
  }

  @ParameterizedTest
  @ValueSource(strings = {"SELECT 'a", "SELECT \"a", "/* a /* b */", "AS $x$ a $$", "SELECT E'\\'"})
  void whatIsNotClosedIsNamedWithItsLine(String text) {
    assertThatThrownBy(() -> SqlStatements.split("SELECT 1;\n" + text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("on line 2 has no end");
  }

  @Test
  void commentsAreTakenOutOfTheText() {
    String text =
        """
        -- it's; here

        CREATE TABLE a (
          -- this; one
          b text,-- that; one
          c text DEFAULT '--;'/* x; */
        );
        """;
    assertThat(SqlStatements.withoutComments(text))
        .isEqualTo(
            """
            CREATE TABLE a (
              b text,
              c text DEFAULT '--;'
            );
            """);
  }
}
