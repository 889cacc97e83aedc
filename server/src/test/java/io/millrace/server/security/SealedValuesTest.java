package io.millrace.server.security;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SealedValuesTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"plain\"",
        "null",
        "12345678901234567890.10",
        "{\"secret\": 1, \"b\": [1, 2]}",
        "\"a $secret in words\"",
        "[\"$secret\", \"\\u0041\"]"
      })
  void whatHoldsNoSecretKeepsItsValue(String json) {
    assertThat(SecurityFixture.JSON.readTree(SealedValues.mask(json)))
        .isEqualTo(SecurityFixture.JSON.readTree(json));
    assertThat(SealedValues.isSecret(json)).isFalse();
  }

  @Test
  void aTextWithoutSecretsIsNotEvenTouched() {
    assertThat(SealedValues.mask("{ \"n\" : 1e400 }")).isEqualTo("{ \"n\" : 1e400 }");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"$secret\": \"v1:abc\"} | {\"$secret\":\"***\"}",
        "{\"$secret\": {\"abc\": 1}} | {\"$secret\":\"***\"}",
        "{\"$secret\": \"abc\", \"abc\": 2} | {\"$secret\":\"***\"}",
        "{\"\\u0024secret\": \"abc\"} | {\"$secret\":\"***\"}",
        "{\"a\": {\"$secret\": \"abc\"}, \"b\": 1} | {\"a\":{\"$secret\":\"***\"},\"b\":1}",
        "[1, [{\"$secret\": \"abc\"}]] | [1,[{\"$secret\":\"***\"}]]",
        "{\"n\": 1.10, \"s\": {\"$secret\": \"abc\"}} | {\"n\":1.10,\"s\":{\"$secret\":\"***\"}}",
        "{\"$secret\": \"abc | {\"$secret\":\"***\"}"
      })
  void secretsAreHidden(String json, String masked) {
    assertThat(SealedValues.mask(json)).isEqualTo(masked).doesNotContain("abc");
  }

  @Test
  void aWholeSecretIsKnown() {
    assertThat(SealedValues.isSecret("{\"$secret\": \"x\"}")).isTrue();
    assertThat(SealedValues.isSecret("[{\"$secret\": \"x\"}]")).isFalse();
    assertThat(SealedValues.isSecret(null)).isFalse();
    assertThat(SealedValues.isSecret(SealedValues.MASK)).isTrue();
  }
}
