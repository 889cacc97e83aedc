package io.millrace.server.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the placeholders of templates. */
final class TemplateValuesTest {

  private static final TemplateValues VALUES =
      new TemplateValues(
          ApiClient.JSON.readTree(
              """
              {"id": 7, "zero": 0, "no": null, "on": true, "off": false, "blank": " ", "object": "{}",
               "state": "dead", "braces": "{id}|?",
               "at": "2026-11-21T08:00:01.999Z", "why": "a.b.IllegalStateException: gone",
               "log": "first\\nsecond", "run": {"chain": 3, "x": 1.10}, "list": ["a", "b"], "empty": []}
              """),
          ApiClient.JSON.readTree("{\"ID\": \"a/b\", \"--to\": 4}"));

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "{state} of {id};dead of 7",
        "{no}, {none} and {run.none.deeper};-, - and -",
        "{ID} to {--to}, {--from};a/b to 4, -",
        "{run.chain}/{run.x}: {list}, {run};3/1.10: a, b, chain 3, x 1.10",
        "{at:time} {at};2026-11-21T08:00:01Z 2026-11-21T08:00:01.999Z",
        "{why:reason};IllegalStateException: gone",
        "{log:first}, {log:line};first, first second",
        "{list:size} {list:words};2 a b",
        "{on?yes|no} {off?yes|no} {no?yes|no} {none?yes|no};yes no no no",
        "{zero?yes|no} {blank?yes|no} {object?yes|no} {empty?yes|no} {list?yes|no};yes no no no yes",
        "{--to?to {--to}|}{--from?from {--from}};to 4",
        "{on?{off?a|{id?in {id}: here}}|d};in 7: here",
        "{braces};{id}|?",
      })
  void placeholdersAreReplaced(String template, String expected) {
    assertThat(VALUES.text(template)).isEqualTo(expected);
  }

  @Test
  void aPathHasItsValuesEncoded() {
    TemplateValues path =
        new TemplateValues(VALUES.answer(), VALUES.arguments(), ApiClient::encoded);
    assertThat(path.text("/sequences/{ID}/run")).isEqualTo("/sequences/a%2Fb/run");
  }

  @Test
  void aComputedFieldIsAddedToAPartOnly() {
    TemplateValues part = VALUES.of(VALUES.value("run"));
    assertThat(part.with("what", "{chain}").text("{what} {chain} {--to}")).isEqualTo("{chain} 3 4");
    assertThat(VALUES.text("{run.what}")).isEqualTo("-");
  }

  @Test
  void anUnknownFormatIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> VALUES.text("{id:hours}"))
        .withMessage("Unknown format 'hours'.");
  }
}
