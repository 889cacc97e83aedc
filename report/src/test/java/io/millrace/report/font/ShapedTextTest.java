package io.millrace.report.font;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ShapedTextTest {

  @Test
  void arabicLettersTakeTheShapeOfTheirPlace() {
    // Beh alone, at the start, within, and at the end of a word.
    assertThat(ArabicForms.shape("ب")).isEqualTo("\uFE8F");
    assertThat(ArabicForms.shape("ببب")).isEqualTo("\uFE91\uFE92\uFE90");
    // Alef joins only what comes before it.
    assertThat(ArabicForms.shape("باب")).isEqualTo("\uFE91\uFE8E\uFE8F");
    // Lam and alef are one shape.
    assertThat(ArabicForms.shape("لا")).isEqualTo("\uFEFB");
    assertThat(ArabicForms.shape("بلا")).isEqualTo("\uFE91\uFEFC");
    // Marks do not separate letters, and spaces do.
    assertThat(ArabicForms.shape("بَب")).isEqualTo("\uFE91\u064E\uFE90");
    assertThat(ArabicForms.shape("ب ب")).isEqualTo("\uFE8F \uFE8F");
    // Letters of Persian, and a joiner that keeps them apart.
    assertThat(ArabicForms.shape("گچ")).isEqualTo("\uFB94\uFB7B");
    assertThat(ArabicForms.shape("ب\u200Cب")).isEqualTo("\uFE8F\u200C\uFE8F");
    assertThat(ArabicForms.shape("Latin שלום 中")).isEqualTo("Latin שלום 中");
  }

  @Test
  void everyShapeCanBeDrawnFromItsLetters() {
    assertThat(ArabicForms.joined(0xFE8F)).isEqualTo("ب");
    assertThat(ArabicForms.joined(0xFE91)).isEqualTo("ب\u200D");
    assertThat(ArabicForms.joined(0xFE92)).isEqualTo("\u200Dب\u200D");
    assertThat(ArabicForms.joined(0xFEFC)).isEqualTo("\u200Dلا");
    assertThat(ArabicForms.joined('A')).isNull();
    assertThat(ArabicForms.joined(0xFDFA)).isNull();
  }

  @Test
  void whatIsNeverSeenIsLeftOut() {
    assertThat(ShapedText.of("\u2764\uFE0F x\u200Dy\u2066z")).isEqualTo("\u2764 xyz");
    assertThat(ShapedText.of("plain é 中 😀")).isEqualTo("plain é 中 😀");
  }

  @Test
  void aTextFromRightToLeftIsKeptApartFromWhatFollows() {
    assertThat(ShapedText.apart("שלום 7")).isEqualTo("שלום 7\u200E");
    assertThat(ShapedText.apart("peace 7")).isEqualTo("peace 7");
  }
}
