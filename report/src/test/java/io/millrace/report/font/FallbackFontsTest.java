package io.millrace.report.font;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.report.chart.ReportFont;
import io.millrace.report.font.FallbackFonts.Glyphs;
import java.awt.Font;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FallbackFontsTest {

  private static final int EMOJI = 0x1F600;

  @TempDir private Path folder;

  private static Set<Integer> codePoints(String text) {
    return text.codePoints().boxed().collect(Collectors.toCollection(TreeSet::new));
  }

  private Glyphs find(String text) {
    return new FallbackFonts(new FontFolders(List.of(folder.resolve("none"), folder)))
        .find(codePoints(text));
  }

  @Test
  void glyphsComeFromTheFontsThatHaveThem() throws Exception {
    TestFonts.write(folder.resolve("deep/er"), "han.ttf", "中");
    Files.write(folder.resolve("emoji.TTC"), TestFonts.collection(TestFonts.of("😀文")));
    Files.writeString(folder.resolve("broken.ttf"), "no font");
    Files.write(folder.resolve("cut.otf"), Arrays.copyOf(TestFonts.of("中文"), 400));
    Files.writeString(folder.resolve("readme.txt"), "no font");
    Glyphs glyphs = find("中文😀界");
    assertThat(glyphs.found().keySet()).containsExactly((int) '中', (int) '文', EMOJI);
    assertThat(glyphs.missing()).containsExactly((int) '界');
    assertThat(glyphs.found().get((int) '中').advance()).isEqualTo(500.0);

    byte[] font = glyphs.font();
    assertThat(font).isNotNull();
    FontCoverage coverage = FontCoverage.of(font);
    assertThat(coverage.has('中')).isTrue();
    assertThat(coverage.has(EMOJI)).isTrue();
    assertThat(coverage.has('界')).isFalse();
    Font drawn = Font.createFont(Font.TRUETYPE_FONT, new ByteArrayInputStream(font));
    assertThat(drawn.canDisplayUpTo("中文😀")).isEqualTo(-1);
  }

  @Test
  void nothingIsReadWhenNothingIsMissing() {
    FontFolders unread = new FontFolders(List.of(folder));
    Glyphs glyphs = new FallbackFonts(unread).find(Set.of());
    assertThat(glyphs.font()).isNull();
    assertThat(glyphs.missing()).isEmpty();
    assertThat(unread.readFiles()).isZero();
  }

  @Test
  void regularFontsArePreferredAndPlaceholdersAreNotUsed() throws IOException {
    FontFolders folders = new FontFolders(List.of(folder.resolve("first"), folder.resolve("last")));
    for (String name :
        List.of("AdobeBlank.otf", "Any-Bold.ttf", "Any-Serif.ttf", "Any.ttf", "NotoSansX.ttf")) {
      TestFonts.write(folder.resolve("last"), name, "中");
    }
    TestFonts.write(folder.resolve("first"), "Mine-BoldItalic.ttf", "文");
    assertThat(folders.files())
        .extracting(file -> file.getFileName().toString())
        .containsExactly(
            "Mine-BoldItalic.ttf", "NotoSansX.ttf", "Any.ttf", "Any-Serif.ttf", "Any-Bold.ttf");
  }

  @Test
  void aFontThatChangesIsReadAgain() throws IOException {
    FontFolders folders = new FontFolders(List.of(folder));
    Path file = TestFonts.write(folder, "a.ttf", "中");
    assertThat(folders.coverage(file).has('文')).isFalse();
    assertThat(folders.coverage(file).has('中')).isTrue();
    assertThat(folders.readFiles()).isOne();
    TestFonts.write(folder, "a.ttf", "文");
    Files.setLastModifiedTime(file, FileTime.fromMillis(0));
    assertThat(folders.coverage(file).has('文')).isTrue();
  }

  /** A font with the letters alone is enough, since the shapes are drawn from them. */
  @Test
  void shapesOfArabicLettersAreDrawnFromFontsThatHaveOnlyTheLetters() throws IOException {
    TestFonts.write(folder, "letters.ttf", "سلام");
    String shaped = ArabicForms.shape("سلام");
    assertThat(shaped).isNotEqualTo("سلام");
    Glyphs glyphs = find(shaped);
    assertThat(glyphs.missing()).isEmpty();
    assertThat(glyphs.found()).hasSize(shaped.length());
  }

  @Test
  void aFontForChartsHasTheGlyphsOfBoth() throws Exception {
    TestFonts.write(folder, "a.ttf", "中");
    byte[] bytes = find("中").font(codePoints("A1 中界"), ReportFont.REGULAR.awt());
    Font font = Font.createFont(Font.TRUETYPE_FONT, new ByteArrayInputStream(bytes));
    assertThat(font.canDisplayUpTo("A1 中")).isEqualTo(-1);
    assertThat(font.canDisplay('界')).isFalse();
  }

  @Test
  void theCoverageOfTheFontOfReportsIsRead() throws IOException {
    try (InputStream file = ReportFont.REGULAR.open()) {
      FontCoverage coverage = FontCoverage.of(file.readAllBytes());
      assertThat("AzéΩЖộ– €".chars()).allMatch(coverage::has);
      assertThat("中שا\uFFFE".chars()).noneMatch(coverage::has);
    }
    assertThatThrownBy(() -> FontCoverage.of(new byte[] {0, 1})).isInstanceOf(IOException.class);
  }

  @Test
  void aFontThatMustNotBeEmbeddedIsNotUsed() throws IOException {
    byte[] font = TestFonts.of("中");
    assertThat(FontCoverage.of(font).has('中')).isTrue();
    // The first table is OS/2, which begins after the header and ten entries.
    font[12 + 10 * 16 + 9] = 2;
    assertThat(FontCoverage.of(font).has('中')).isFalse();
  }
}
