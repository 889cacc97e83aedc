package io.millrace.instance;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StorableTextTest {

  @ParameterizedTest
  @ValueSource(strings = {"", "a", "😀", "a😀😀b", "\uFFFD", "\uFFFF", "\u202E"})
  void wholeTextIsStorable(String text) {
    assertThat(StorableText.isStorable(text)).isTrue();
    assertThat(StorableText.indexOfHalf(text)).isEqualTo(-1);
    assertThat(StorableText.repaired(text)).isSameAs(text);
  }

  @Test
  void halvesAreFoundWhereverTheyAre() {
    assertThat(StorableText.indexOfHalf("\uD83D")).isZero();
    assertThat(StorableText.indexOfHalf("A-\uD83D")).isEqualTo(2);
    assertThat(StorableText.indexOfHalf("\uDE00\uD83D")).isZero();
    assertThat(StorableText.indexOfHalf("😀\uDE00")).isEqualTo(2);
    assertThat(StorableText.indexOfHalf("\uD83D😀")).isZero();
    assertThat(StorableText.isStorable("\uD83Dx")).isFalse();
  }

  @Test
  void nulIsNotStorable() {
    assertThat(StorableText.isStorable("a\0b")).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"0", "1", "2"})
  void whatIsRepairedIsStorableAndOfTheSameLength(int at) {
    String odd = "x😀".repeat(at) + "\uD83D\0a\uDE00😀";
    assertThat(StorableText.repaired(odd))
        .isEqualTo("x😀".repeat(at) + "\uFFFD\uFFFDa\uFFFD😀")
        .hasSameSizeAs(odd)
        .matches(StorableText::isStorable);
  }
}
