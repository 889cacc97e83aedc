package io.millrace.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.instance.InvalidRequestException;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;

class SecretCipherTest {

  private static final String WHAT = "The secret variable 'card'";
  private static final String JSON = "\"4111111111111111 é\"";

  private final SecretCipher secretCipher = new SecretCipher(SecretKeys.of("k1", key(1)));

  private static byte[] key(int first) {
    byte[] key = new byte[SecretKeys.LENGTH];
    key[0] = (byte) first;
    return key;
  }

  private String sealed() {
    return secretCipher.seal(WHAT, "card", JSON);
  }

  @Test
  void whatWasSealedIsOpened() {
    String sealed = sealed();

    assertThat(sealed)
        .startsWith("{\"$secret\":\"k1:")
        .endsWith("\"}")
        .doesNotContain("4111111111111111");
    assertThat(SecretCipher.isSealed(sealed)).isTrue();
    assertThat(secretCipher.open(WHAT, "card", sealed)).isEqualTo(JSON);
  }

  @Test
  void noTwoSealedTextsAreTheSame() {
    assertThat(sealed()).isNotEqualTo(sealed());
  }

  @Test
  void anotherNameDoesNotOpenIt() {
    assertThatThrownBy(() -> secretCipher.open("The secret variable 'pin'", "pin", sealed()))
        .isInstanceOf(CodecException.class)
        .hasMessageContaining("The secret variable 'pin'")
        .hasMessageContaining("for another variable")
        .hasNoCause();
  }

  @Test
  void everyChangedByteIsNoticed() {
    String sealed = sealed();
    int first = sealed.indexOf(':', 12) + 1;
    byte[] bytes = Base64.getDecoder().decode(sealed.substring(first, sealed.length() - 2));
    for (int at = 0; at < bytes.length; at++) {
      byte[] other = bytes.clone();
      other[at] ^= 1;
      String changed =
          sealed.substring(0, first) + Base64.getEncoder().encodeToString(other) + "\"}";
      assertThatThrownBy(() -> secretCipher.open(WHAT, "card", changed))
          .as(changed)
          .isInstanceOf(CodecException.class)
          .hasMessageContaining("the stored text was changed");
    }
  }

  @Test
  void shortTextsAreRefusedLikeChangedOnes() {
    for (String text : List.of("QQ==", "AAAAAAAAAAAAAAAA", "A", "A===")) {
      assertThatThrownBy(() -> secretCipher.open(WHAT, "card", "{\"$secret\":\"k1:" + text + "\"}"))
          .isInstanceOf(CodecException.class)
          .hasMessageContaining(WHAT);
    }
  }

  @Test
  void theSameNameWithAnotherKeyDoesNotOpenIt() {
    SecretCipher other = new SecretCipher(SecretKeys.of("k1", key(2)));

    assertThatThrownBy(() -> other.open(WHAT, "card", sealed()))
        .isInstanceOf(CodecException.class)
        .hasMessageContaining("key 'k1'");
  }

  @Test
  void aMissingKeyIsNamed() {
    SecretCipher other = new SecretCipher(SecretKeys.of("k2", key(2)).reading("k3", key(3)));

    assertThatThrownBy(() -> other.open(WHAT, "card", sealed()))
        .isInstanceOf(CodecException.class)
        .hasMessageContaining("'k1'")
        .hasMessageContaining("[k2, k3]");
    assertThatThrownBy(() -> SecretCipher.NONE.open(WHAT, "card", sealed()))
        .isInstanceOf(CodecException.class)
        .hasMessageContaining("secretKey(");
    assertThatThrownBy(() -> SecretCipher.NONE.seal(WHAT, "card", JSON))
        .isInstanceOf(CodecException.class)
        .hasMessageContaining("no key");
  }

  @Test
  void onlyTheExactFormIsSealed() {
    assertThat(List.of("\"x\"", "{}", "{\"$secret\":1}", "{\"$secret\":\"k1:\"}", sealed() + " "))
        .noneMatch(SecretCipher::isSealed);
  }

  @Test
  void keyedHashesNeedTheKeyAndSurviveItsRotation() {
    List<String> before = secretCipher.keyedHashes(WHAT, "text");
    SecretCipher rotated = new SecretCipher(SecretKeys.of("k2", key(2)).reading("k1", key(1)));

    assertThat(before).singleElement().asString().hasSize(64);
    assertThat(secretCipher.keyedHashes(WHAT, "text")).isEqualTo(before);
    assertThat(secretCipher.keyedHashes(WHAT, "other")).doesNotContainAnyElementsOf(before);
    assertThat(rotated.keyedHashes(WHAT, "text")).hasSize(2).endsWith(before.getFirst());
    assertThat(new SecretCipher(SecretKeys.of("k1", key(2))).keyedHashes(WHAT, "text"))
        .doesNotContainAnyElementsOf(before);
  }

  @Test
  void keysAreCheckedAndNeverShown() {
    assertThatThrownBy(() -> SecretKeys.of("k1", new byte[16]))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("'k1' has 16 bytes, expected 32");
    for (String id : List.of("", "a:b", "a b", "x".repeat(41))) {
      assertThatThrownBy(() -> SecretKeys.of(id, key(1)))
          .isInstanceOf(InvalidRequestException.class);
    }
    SecretKeys keys = SecretKeys.of("k1", key(1));
    assertThatThrownBy(() -> keys.reading("k1", key(2)))
        .isInstanceOf(InvalidRequestException.class);
    assertThat(keys.reading("k0", key(3))).hasToString("SecretKeys[k1, k0]");
  }
}
