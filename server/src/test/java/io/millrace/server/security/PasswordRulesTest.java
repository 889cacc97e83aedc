package io.millrace.server.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PasswordRulesTest {

  private static final String USER = "anna.schmidt@example.org";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "aaaaaaaaaaaa",
        "abababababab",
        "abcabcabcabc",
        "xz!xz!xz!xz!xz!xz!xz!xz!xz!xz!xz!",
        "123456789012",
        "abcdefghijklm",
        "zyxwvutsrqpo",
        "qwertyuiop123",
        "asdfghjklöä#",
        "1q2w3e4r5t6y",
        "1qaz2wsx3edc",
        "password1234",
        "Password2026!",
        "P4ssw0rd1234",
        "P@$$w0rd!!!!",
        "passwordpassword",
        "drowssap1234",
        "iloveyou2026",
        "letmein-letmein",
        "administrator",
        "changeme-changeme",
        "millrace2026",
        "MillraceMillrace",
        "welcometomillrace",
        "annaschmidt1",
        "anna.schmidt",
        "Anna.Schmidt@example.org",
        "schmidtschmidt",
        "            ",
        "ｐａｓｓｗｏｒｄ１２３４",
      })
  void whatAttackersTryFirstIsWeak(String password) {
    assertThat(PasswordRules.isWeak(password, USER)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "correct horse battery staple",
        "a long password",
        "long enough 1",
        "monkey dragon football copper",
        "tr0ub4dor&3-xkcd",
        "kühlschranktür",
        "mvqhzkwpnrtb",
        "830274916583",
        "9f2c-77ab-e01d",
        "日本語の長いパスワードです",
      })
  void whatIsHardToGuessIsNotWeakWhateverItIsMadeOf(String password) {
    assertThat(PasswordRules.isWeak(password, USER)).isFalse();
  }

  @Test
  void passwordsThatAreMadeUpHereAreNeverWeak() {
    assertThat(IntStream.range(0, 500).mapToObj(i -> PasswordHasher.generate()))
        .noneMatch(password -> PasswordRules.isWeak(password, USER));
  }

  @Test
  void theLongestPasswordsAreJudgedToo() {
    assertThat(PasswordRules.isWeak("ab".repeat(100), USER)).isTrue();
    assertThat(PasswordRules.isWeak("b".repeat(199) + "c", USER)).isTrue();
    assertThat(PasswordRules.isWeak("horse staple ".repeat(15), "a")).isFalse();
    // Only as many characters are checked as a password may have, whatever they expand to.
    assertThat(PasswordRules.isWeak("\u2057".repeat(60) + "horse staple", "a")).isTrue();
  }
}
