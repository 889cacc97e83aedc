package io.millrace.store.sql;

import static org.assertj.core.api.Assertions.assertThat;

import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;

class JdbcTest {

  @Test
  void remembersSoManyStatementsAndKnowsAllOthersToo() {
    Jdbc jdbc = new Jdbc(new JdbcDataSource(), Dialects.named("h2"), null);
    for (int i = 0; i < 2 * Jdbc.MAX_PARSED; i++) {
      assertThat(jdbc.named("SELECT " + i).jdbc()).isEqualTo("SELECT " + i);
    }

    assertThat(jdbc.parsed()).isEqualTo(Jdbc.MAX_PARSED);
    assertThat(jdbc.named("SELECT 1")).isSameAs(jdbc.named("SELECT 1"));
  }
}
