package io.millrace.server.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.instance.InvalidRequestException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests values that are secret by their names. */
class SecretNamesTest {

  private static final SecretNames NAMES = SecretNames.with(List.of());

  @Test
  void furtherNamesAreReadWordByWordToo() {
    SecretNames more = SecretNames.with(List.of("iban", "cardNumber", " "));
    assertThat(List.of("iban", "customerIban", "IBAN_2", "card-number", "CARDNUMBER", "password"))
        .allMatch(more::isSecret);
    assertThat(List.of("number", "card", "numberOfCards", "ibanity", "")).noneMatch(more::isSecret);
    assertThat(more.maskText("{\"customerIban\":\"canary\"}")).doesNotContain("canary");
    assertThat(more.maskText("iban canary")).isEqualTo("iban canary");
  }

  @Test
  void namesAreReadWordByWord() {
    assertThat(
            List.of(
                "password",
                "dbPassword",
                "DB_PASSWORD",
                "api-key",
                "apiKey",
                "authToken",
                "SIGNINGKEY",
                "x.secret"))
        .allMatch(NAMES::isSecret);
    assertThat(List.of("secretary", "tokenizer", "key", "primaryKey", "passage", "report"))
        .noneMatch(NAMES::isSecret);
  }

  @Test
  void valuesAreMaskedAtEveryDepthAndOthersStayAsTheyAre() {
    assertThat(
            NAMES.mask("{\"a\":1.10,\"b\":[{\"apiKey\":\"canary\"}],\"c\":{\"$secret\":\"k:x\"}}"))
        .isEqualTo(
            "{\"a\":1.10,\"b\":[{\"apiKey\":{\"$secret\":\"***\"}}],\"c\":{\"$secret\":\"***\"}}");
    assertThat(NAMES.mask("no JSON canary")).doesNotContain("canary");
  }

  @Test
  void aMaskThatComesBackKeepsWhatIsStored() {
    Map<String, Object> mask = Map.of("$secret", "***");
    Map<String, Object> stored = Map.of("password", "p", "in", Map.of("token", "t"), "n", 1);
    assertThat(
            SecretNames.restored(
                Map.of("password", mask, "in", Map.of("token", mask), "n", 2), stored))
        .isEqualTo(Map.of("password", "p", "in", Map.of("token", "t"), "n", 2));
  }

  @Test
  void aMaskForWhichNothingIsStoredIsRefused() {
    Map<String, Object> mask = Map.of("$secret", "***");
    Map<String, Object> stored =
        Map.of("hosts", List.of(Map.of("token", "a"), Map.of("token", "b")));
    assertThat(
            SecretNames.restored(
                Map.of("hosts", List.of(Map.of("token", mask), Map.of("token", "c"))), stored))
        .isEqualTo(Map.of("hosts", List.of(Map.of("token", "a"), Map.of("token", "c"))));
    // In a shorter list it is not known which value a mask stands for.
    assertThatThrownBy(
            () -> SecretNames.restored(Map.of("hosts", List.of(Map.of("token", mask))), stored))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("'hosts'");
    assertThatThrownBy(() -> SecretNames.restored(Map.of("password", mask), stored))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("'password'");
  }
}
