package io.millrace.store.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.store.StoreException;
import java.sql.BatchUpdateException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SqlErrorsTest {

  @ParameterizedTest(name = "{0}")
  @ValueSource(
      strings = {"22001", "22021", "22P02", "23502", "23505", "42601", "42S02", "42501", "54000"})
  void blamesTheRequest(String state) {
    assertThat(translated(new SQLException("no", state)).rejected()).isTrue();
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(
      strings = {
        "08000", "08001", "08003", "08004", "08006", "08007", "25006", "28000", "28P01", "3D000",
        "40001", "40P01", "53000", "53100", "53200", "53300", "53400", "55P03", "57014", "57P01",
        "57P02", "57P03", "57P04", "57P05", "58000", "58030", "HYT00", "90031", "90067", "90098",
        "90121", "90131", "XX000", "XX001"
      })
  void blamesTheDatabase(String state) {
    assertThat(translated(new SQLException("no", state)).rejected()).isFalse();
  }

  @Test
  void blamesTheDatabaseForAnExhaustedPool() {
    assertThat(translated(new SQLTransientConnectionException("no connection in time")).rejected())
        .isFalse();
  }

  @Test
  void findsTheCauseOfABatch() {
    BatchUpdateException batch = new BatchUpdateException("batch entry 0 failed", null);
    batch.setNextException(new SQLException("duplicate key", "23505"));

    StoreException error = translated(batch);

    assertThat(error.rejected()).isTrue();
    assertThat(SqlErrors.isDuplicate(error)).isTrue();
    assertThat(error).hasMessageContaining("batch entry 0 failed duplicate key");
  }

  @Test
  void keepsTheStatementOutOfTheMessage() {
    SQLException error =
        new SQLException("Value too long; SQL statement:\nINSERT INTO t ... [22001-252]", "22001");

    assertThat(translated(error))
        .hasMessage("The database did not save: Value too long (SQLState 22001).")
        .hasCause(error);
  }

  private static StoreException translated(SQLException error) {
    return SqlErrors.translate("save", error);
  }
}
