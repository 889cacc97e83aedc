package io.millrace.server.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.instance.InstanceStatus;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FilterTimeParserTest {

  private static final Instant NOW = Instant.parse("2026-11-23T10:00:00.5Z");

  private static String read(String text) {
    return FilterTimeParser.read("--created-from", text, NOW, ZoneId.of("Europe/Berlin"));
  }

  @ParameterizedTest
  @CsvSource({
    "24h, 2026-11-22T10:00:00Z",
    "7d, 2026-11-16T10:00:00Z",
    "90m, 2026-11-23T08:30:00Z",
    "2026-11-21, 2026-11-20T23:00:00Z",
    "2026-11-21T08:00:00Z, 2026-11-21T08:00:00Z"
  })
  void timesDatesAndAgesAreRead(String text, String expected) {
    assertThat(read(text)).isEqualTo(expected);
  }

  @Test
  void anythingElseIsAUsageErrorThatRepeatsTheValue() {
    for (String text : List.of("yesterday", "2026-13-01", "24", "h")) {
      assertThatThrownBy(() -> read(text))
          .isInstanceOf(CliException.class)
          .hasMessageContainingAll("--created-from", "'" + text + "'", "24h");
    }
  }

  @Test
  void anUnknownStatusIsAUsageErrorThatListsTheKnownOnes() {
    assertThatThrownBy(() -> FilterArguments.requireStatus("broken"))
        .isInstanceOf(CliException.class)
        .hasMessageContainingAll("'broken'", "inProgress", "failed", "cancelled");
  }

  @Test
  void theStatusesAreThoseOfTheEngine() {
    assertThat(FilterArguments.STATUSES)
        .isEqualTo(Arrays.stream(InstanceStatus.values()).map(InstanceStatus::code).toList());
  }
}
