package io.millrace.store.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.instance.Due;
import io.millrace.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Conversion of values for columns. */
class ColumnsTest {

  @Test
  void cutsLongTextsBetweenCharacters() {
    assertThat(ColumnTexts.reason("x".repeat(1000))).hasSize(1000).doesNotContain("…");
    assertThat(ColumnTexts.reason("x".repeat(1001))).hasSize(1000).endsWith("x…");
    assertThat(ColumnTexts.reason("x".repeat(998) + "😀😀")).isEqualTo("x".repeat(998) + "…");
    assertThat(ColumnTexts.error("x".repeat(20_000))).hasSize(16_000);
    assertThat(ColumnTexts.reason(null)).isNull();
  }

  @Test
  void replacesWhatPostgresRefuses() {
    assertThat(ColumnTexts.error("a\0b")).isEqualTo("a\uFFFDb");
    assertThat(ColumnTexts.whole("a\uD83Db😀")).isEqualTo("a\uFFFDb😀");
  }

  @Test
  void noTextReachesAStatementThatWouldComeBackAsAnother() {
    for (String odd : List.of("a\0", "A-\uD83D")) {
      assertThatThrownBy(() -> Params.of("key", odd))
          .isInstanceOf(StoreException.class)
          .hasMessageContainingAll(":key", "half of a surrogate pair")
          .matches(refusal -> ((StoreException) refusal).permanent());
      assertThatThrownBy(() -> Params.none().texts("keys", List.of("a", odd), text -> text))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining(":keys");
    }
  }

  @Test
  void writesChangedVariablesAsAnObject() {
    Map<String, String> changes = new TreeMap<>();
    changes.put("b\"", "[1]");
    changes.put("a", null);

    assertThat(ColumnTexts.object(changes)).isEqualTo("{\"a\":null,\"b\\\"\":[1]}");
    assertThat(ColumnTexts.object(Map.of())).isNull();
  }

  @Test
  void findsShortScalarsOnly() {
    assertThat(ColumnTexts.searchable("\"x\"")).isEqualTo("\"x\"");
    assertThat(ColumnTexts.searchable("{}")).isNull();
    assertThat(ColumnTexts.searchable("[]")).isNull();
    assertThat(ColumnTexts.searchable("1".repeat(201))).isNull();
  }

  @Test
  void roundsTimesUp() {
    Instant time = Instant.parse("2026-01-01T00:00:00.000000001Z");

    assertThat(ColumnTimes.at(new Due.At(time))).isEqualTo("2026-01-01T00:00:00.000001Z");
    assertThat(ColumnTimes.after(new Due.After(Duration.ofNanos(1)))).isEqualTo(1);
    assertThat(ColumnTimes.micros(Duration.ofSeconds(2, 1_001))).isEqualTo(2_000_002);
    assertThat(ColumnTimes.truncate(time.plusNanos(998)))
        .isEqualTo(Instant.parse("2026-01-01T00:00:00Z"));
  }

  @Test
  void keepsTimesWithinWhatDatabasesKnow() {
    assertThat(ColumnTimes.at(new Due.At(Instant.MAX))).isEqualTo("9999-12-31T23:59:59.999999Z");
    assertThat(ColumnTimes.at(new Due.At(Instant.MIN))).isEqualTo("0001-01-01T00:00:00Z");
    assertThat(ColumnTimes.micros(Duration.ofSeconds(Long.MAX_VALUE)))
        .isEqualTo(ColumnTimes.micros(Duration.ofDays(365_000)));
  }

  @Test
  void knowsFourKindsOfDue() {
    assertThat(ColumnTimes.after(Due.NOW)).isZero();
    assertThat(ColumnTimes.at(Due.NOW)).isNull();
    assertThat(ColumnTimes.after(new Due.Never())).isNull();
    assertThat(ColumnTimes.at(new Due.Never())).isNull();
    assertThat(ColumnTimes.after(new Due.At(Instant.EPOCH))).isNull();
  }

  @Test
  void namesChannelsSafely() {
    assertThat(PostgresHintChannel.channel("orders_1")).isEqualTo("millrace_orders_1");
    assertThat(PostgresHintChannel.channel("Odd \"group\""))
        .matches("millrace_x[0-9a-f]{32}")
        .isNotEqualTo(PostgresHintChannel.channel("odd \"group\""));
    assertThat(Collections.nCopies(2, PostgresHintChannel.channel("")).getFirst())
        .hasSizeLessThan(63);
  }
}
