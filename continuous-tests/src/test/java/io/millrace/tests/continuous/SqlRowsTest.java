package io.millrace.tests.continuous;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.fixtures.ConditionPoller;
import io.millrace.fixtures.TestDatabase;
import io.millrace.instance.InvalidRequestException;
import io.millrace.jackson3.Jackson3Codec;
import io.millrace.store.RowReader;
import io.millrace.store.RowReader.Row;
import io.millrace.store.StoreException;
import io.millrace.store.sql.SqlRowReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests of a trigger that reads the rows of a table, in either database. */
class SqlRowsTest {

  enum Kind {
    H2,
    POSTGRES;

    TestDatabase open() {
      return this == H2 ? TestDatabase.emptyH2() : TestDatabase.emptyPostgres(2);
    }
  }

  private TestDatabase database = TestDatabase.emptyH2();

  @AfterEach
  void close() {
    database.close();
  }

  private void open(Kind kind) {
    database.close();
    database = kind.open();
    database.execute(
        """
        CREATE TABLE orders (id BIGINT PRIMARY KEY, code VARCHAR(20), changed_at TIMESTAMP WITH TIME ZONE,
          seen TIMESTAMP, due DATE, amount DECIMAL(10, 2), reference UUID)
        """);
  }

  private void order(int id, String changed) {
    database.execute(
        String.format(
            Locale.ROOT,
            "INSERT INTO orders VALUES (%d, 'c%03d', '%s', '2026-03-02 10:00:00.000123',"
                + " '2026-03-02', 12.50, '00000000-0000-0000-0000-%012d')",
            id,
            id,
            changed,
            id));
  }

  private RowReader rows(String query, String key, String watermark) {
    return SqlRowReader.of(database.pool(), query, key, watermark).lag(Duration.ZERO);
  }

  /** Reads rows, and waits for transactions of other tests. */
  private static List<Row> read(RowReader rows, @Nullable String after, int limit)
      throws Exception {
    List<Row> read = new ArrayList<>();
    ConditionPoller.await(
        "rows, or none that wait",
        () -> {
          read.addAll(rows.read(after, limit));
          return !read.isEmpty() || !rows.isWaiting();
        });
    return read;
  }

  /** Returns the ids of all rows, read two at a time, each time from the last position. */
  private static List<String> all(RowReader rows) throws Exception {
    List<String> ids = new ArrayList<>();
    String position = null;
    List<Row> read = read(rows, null, 2);
    while (!read.isEmpty()) {
      read.forEach(row -> ids.add(row.id()));
      position = read.getLast().position();
      read = read(rows, position, 2);
    }
    return ids;
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void rowsOfOneTimeAreToldApartByTheirKey(Kind kind) throws Exception {
    open(kind);
    for (int id : new int[] {4, 2, 3, 1}) {
      order(id, "2026-03-02 12:00:00.123456+00");
    }
    order(5, "2026-03-02 11:00:00+00");
    RowReader rows = rows("SELECT id, changed_at FROM orders;", "ID", "changed_at");
    assertThat(all(rows))
        .containsExactly(
            "5|2026-03-02T11:00Z",
            "1|2026-03-02T12:00:00.123456Z",
            "2|2026-03-02T12:00:00.123456Z",
            "3|2026-03-02T12:00:00.123456Z",
            "4|2026-03-02T12:00:00.123456Z");
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void aChangedRowComesAgainWithAnotherId(Kind kind) throws Exception {
    open(kind);
    order(1, "2026-03-02 12:00:00+00");
    RowReader rows = rows("SELECT id, changed_at FROM orders", "id", "changed_at");
    Row first = read(rows, null, 10).getFirst();
    assertThat(read(rows, first.position(), 10)).isEmpty();
    database.execute("UPDATE orders SET changed_at = '2026-03-02 12:00:01+00'");
    assertThat(read(rows, first.position(), 10))
        .singleElement()
        .satisfies(row -> assertThat(row.id()).isNotEqualTo(first.id()));
  }

  @ParameterizedTest
  @CsvSource({
    "H2,id,id",
    "POSTGRES,id,id",
    "H2,code,code",
    "POSTGRES,code,code",
    "H2,reference,seen",
    "POSTGRES,reference,seen",
    "H2,id,due",
    "POSTGRES,id,due",
    "H2,id,amount",
    "POSTGRES,code,amount",
    "H2,code,reference",
    "POSTGRES,code,reference"
  })
  void columnsOfAllKindsTellTheOrder(Kind kind, String key, String watermark) throws Exception {
    open(kind);
    for (int id = 1; id <= 5; id++) {
      order(id, "2026-03-02 12:00:00+00");
    }
    assertThat(all(rows("SELECT * FROM orders", key, watermark)))
        .hasSize(5)
        .doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void theirValuesAreJson(Kind kind) throws Exception {
    open(kind);
    order(1, "2026-03-02 12:00:00+02");
    Row row = read(rows("SELECT * FROM orders", "id", "id"), null, 1).getFirst();
    String json = new Jackson3Codec().encode(row.values()).toLowerCase(Locale.ROOT);
    assertThat(json)
        .isEqualTo(
            """
            {"amount":12.50,"changed_at":"2026-03-02t10:00:00z","code":"c001","due":"2026-03-02","id":1,\
            "reference":"00000000-0000-0000-0000-000000000001","seen":"2026-03-02t10:00:00.000123"}\
            """);
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void rowsWithoutATimeArePassedOver(Kind kind) throws Exception {
    open(kind);
    order(1, "2026-03-02 12:00:00+00");
    database.execute("INSERT INTO orders (id) VALUES (2)");
    assertThat(all(rows("SELECT * FROM orders", "id", "changed_at"))).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void whatCannotBeReadIsNamed(Kind kind) {
    open(kind);
    order(1, "2026-03-02 12:00:00+00");
    assertThatThrownBy(() -> rows("SELECT id FROM orders", "id", "changed_at").read(null, 1))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("expected the watermark column 'changed_at' among them");
    assertThatThrownBy(() -> rows("SELECT id FROM orders", "number", "id").read(null, 1))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("expected the key column 'number'");
    assertThatThrownBy(() -> rows("SELECT nothing FROM nowhere", "id", "id").read(null, 1))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("rows of SELECT nothing FROM nowhere cannot be read");
    assertThatThrownBy(() -> rows("SELECT * FROM orders", "id", "id").read("2026", 1))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("The position '2026' is not that of rows");
  }
}
