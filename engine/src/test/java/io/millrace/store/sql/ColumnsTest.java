package io.millrace.store.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.instance.Due;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Values on their way into columns. */
class ColumnsTest {

  @Test
  void cutsLongTextsBetweenCharacters() {
    assertThat(Texts.reason("x".repeat(1000))).hasSize(1000).doesNotContain("…");
    assertThat(Texts.reason("x".repeat(1001))).hasSize(1000).endsWith("x…");
    assertThat(Texts.reason("x".repeat(998) + "😀😀")).isEqualTo("x".repeat(998) + "…");
    assertThat(Texts.error("x".repeat(20_000))).hasSize(16_000);
    assertThat(Texts.reason(null)).isNull();
  }

  @Test
  void replacesWhatPostgresRefuses() {
    assertThat(Texts.error("a\0b")).isEqualTo("a\uFFFDb");
  }

  @Test
  void writesChangedVariablesAsAnObject() {
    Map<String, String> changes = new TreeMap<>();
    changes.put("b\"", "[1]");
    changes.put("a", null);

    assertThat(Texts.object(changes)).isEqualTo("{\"a\":null,\"b\\\"\":[1]}");
    assertThat(Texts.object(Map.of())).isNull();
  }

  @Test
  void findsShortScalarsOnly() {
    assertThat(Texts.searchable("\"x\"")).isEqualTo("\"x\"");
    assertThat(Texts.searchable("{}")).isNull();
    assertThat(Texts.searchable("[]")).isNull();
    assertThat(Texts.searchable("1".repeat(201))).isNull();
  }

  @Test
  void roundsTimesUp() {
    Instant time = Instant.parse("2026-01-01T00:00:00.000000001Z");

    assertThat(Times.at(new Due.At(time))).isEqualTo("2026-01-01T00:00:00.000001Z");
    assertThat(Times.after(new Due.After(Duration.ofNanos(1)))).isEqualTo(1);
    assertThat(Times.micros(Duration.ofSeconds(2, 1_001))).isEqualTo(2_000_002);
    assertThat(Times.truncate(time.plusNanos(998)))
        .isEqualTo(Instant.parse("2026-01-01T00:00:00Z"));
  }

  @Test
  void keepsTimesWithinWhatDatabasesKnow() {
    assertThat(Times.at(new Due.At(Instant.MAX))).isEqualTo("9999-12-31T23:59:59.999999Z");
    assertThat(Times.at(new Due.At(Instant.MIN))).isEqualTo("0001-01-01T00:00:00Z");
    assertThat(Times.micros(Duration.ofSeconds(Long.MAX_VALUE)))
        .isEqualTo(Times.micros(Duration.ofDays(365_000)));
  }

  @Test
  void knowsFourKindsOfDue() {
    assertThat(Times.after(Due.NOW)).isZero();
    assertThat(Times.at(Due.NOW)).isNull();
    assertThat(Times.after(new Due.Never())).isNull();
    assertThat(Times.at(new Due.Never())).isNull();
    assertThat(Times.after(new Due.At(Instant.EPOCH))).isNull();
  }

  @Test
  void namesChannelsSafely() {
    assertThat(PostgresHints.channel("orders_1")).isEqualTo("millrace_orders_1");
    assertThat(PostgresHints.channel("Odd \"group\""))
        .matches("millrace_x[0-9a-f]{32}")
        .isNotEqualTo(PostgresHints.channel("odd \"group\""));
    assertThat(Collections.nCopies(2, PostgresHints.channel("")).getFirst()).hasSizeLessThan(63);
  }
}
