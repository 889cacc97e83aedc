package io.millrace.store.sql;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class NamedSqlTest {

  @Test
  void replacesNamesInOrderAndAsOftenAsTheyCome() {
    NamedSql sql = NamedSql.parse("UPDATE t SET a = :a, b=:long1Name WHERE a<>:a", null);

    assertThat(sql.jdbc()).isEqualTo("UPDATE t SET a = ?, b=? WHERE a<>?");
    assertThat(sql.names()).containsExactly("a", "long1Name", "a");
  }

  @Test
  void leavesCastsQuotesAndCommentsAlone() {
    String text = "SELECT ':a', \":b\", c::text -- :d\n/* :e */ FROM t WHERE x[1:2] = 'it''s :f'";

    NamedSql sql = NamedSql.parse(text, null);

    assertThat(sql.jdbc()).isEqualTo(text);
    assertThat(sql.names()).isEmpty();
  }

  @Test
  void takesTheTimeFromTheDatabaseUnlessThereIsAClock() {
    assertThat(NamedSql.parse("SELECT :now, :nowhere", "CURRENT_TIMESTAMP"))
        .isEqualTo(new NamedSql("SELECT CURRENT_TIMESTAMP, ?", java.util.List.of("nowhere")));
    assertThat(NamedSql.parse("SELECT :now", null).names()).containsExactly(NamedSql.NOW);
  }

  @Test
  void endsWithAnOpenQuote() {
    assertThat(NamedSql.parse("SELECT 'open :a", null).names()).isEmpty();
    assertThat(NamedSql.parse(":", null).jdbc()).isEqualTo(":");
  }
}
