package io.millrace.report.pdf;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.report.chart.ChartData;
import io.millrace.report.chart.ChartPainter;
import io.millrace.report.font.FallbackFonts;
import io.millrace.report.font.FontFolders;
import io.millrace.report.font.TestFonts;
import io.millrace.report.kpi.DisplayType;
import io.millrace.report.kpi.KpiDefinition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.xml.parsers.DocumentBuilderFactory;
import org.apache.pdfbox.Loader;
import org.apache.pdfbox.cos.COSName;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.PDPage;
import org.apache.pdfbox.pdmodel.font.PDFont;
import org.apache.pdfbox.text.PDFTextStripper;
import org.apache.pdfbox.text.TextPosition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;

/** Tests of characters that the font of reports lacks. */
class MissingGlyphsTest {

  private static final String HEBREW = "שבועי דוח";
  private static final String ARABIC = "تقرير";

  @TempDir private Path folder;

  private RenderedReport render(String title, KpiDefinition... kpis) {
    return new PdfReportRenderer(ReportTemplates.shipped(), new FontFolders(List.of(folder)))
        .render(SampleReport.content(title, List.of(kpis)), ReportTemplates.DEFAULT);
  }

  private static String text(RenderedReport report) throws IOException {
    try (PDDocument document = Loader.loadPDF(report.pdf())) {
      for (PDPage page : document.getPages()) {
        for (COSName name : page.getResources().getFontNames()) {
          PDFont font = page.getResources().getFont(name);
          assertThat(font.isEmbedded()).as(font.getName()).isTrue();
        }
      }
      return new PDFTextStripper().getText(document);
    }
  }

  /** Returns the glyphs in their order on the page, from left to right. */
  private static String drawn(RenderedReport report) throws IOException {
    StringBuilder drawn = new StringBuilder();
    try (PDDocument document = Loader.loadPDF(report.pdf())) {
      new PDFTextStripper() {
        @Override
        protected void processTextPosition(TextPosition position) {
          drawn.append(position.getUnicode());
        }
      }.getText(document);
    }
    return drawn.toString();
  }

  @Test
  void aFontOfTheFolderIsUsedForWhatTheOwnFontLacks() throws IOException {
    TestFonts.write(folder, "han.ttf", "周报");
    TestFonts.write(folder, "emoji.ttf", "🚀");
    RenderedReport report = render("Week 周报 🚀");
    assertThat(report.missing()).isEmpty();
    assertThat(report.note()).isEmpty();
    assertThat(text(report)).contains("Week 周报 🚀").doesNotContain("?");
  }

  @Test
  void textFromRightToLeftIsDrawnFromRightToLeft() throws IOException {
    TestFonts.write(folder, "rtl.ttf", HEBREW + ARABIC + "\u200E");
    RenderedReport hebrew = render("A " + HEBREW + " 26");
    assertThat(text(hebrew)).contains(HEBREW).doesNotContain("?");
    assertThat(drawn(hebrew)).contains("A 26 " + new StringBuilder(HEBREW).reverse());

    RenderedReport arabic = render(ARABIC);
    assertThat(arabic.missing()).isEmpty();
    assertThat(text(arabic)).contains(ARABIC);
    assertThat(drawn(arabic)).contains("\uFEAE\uFEF3\uFEAE\uFED8\uFE97");
  }

  @Test
  void whatFollowsATextFromRightToLeftStaysBehindIt() throws IOException {
    TestFonts.write(folder, "rtl.ttf", HEBREW);
    // The foot of the page has the title, and then the window.
    assertThat(drawn(render(HEBREW)))
        .contains(new StringBuilder(HEBREW).reverse() + " · 16 – 22 November 2026");
  }

  @Test
  void whatNoFontHasIsSaidInTheReport() throws IOException {
    RenderedReport report = render("Week 周报 and שבוע");
    assertThat(report.missing()).hasSize(6);
    assertThat(report.note())
        .isEqualTo(
            "6 characters are shown as \"?\" because no font has them: han U+5468, U+62A5; hebrew"
                + " U+05D1, U+05D5, U+05E2, U+05E9.");
    assertThat(text(report).replaceAll("\\s+", " ")).contains("Week ?? and ????", report.note());
    assertThat(RenderedReport.note(Set.of(0x1F680)))
        .isEqualTo("1 character is shown as \"?\" because no font has it: symbols U+1F680.");
  }

  @Test
  void aFontOfTheTemplateCounts() throws IOException {
    Path own = folder.resolve("templates/own");
    TestFonts.write(own, "own.ttf", "周报");
    Files.writeString(
        own.resolve("report.html"),
        """
        <html lang="en"><head><title>{{title}}</title><meta name="subject" content="x"/>
        <style>@font-face { font-family: Own; src: url(own.ttf) }
          h1 { font-family: "Source Sans Pro", Own; font-weight: normal }</style></head>
        <body><h1>{{title}}</h1></body></html>
        """);
    RenderedReport report =
        new PdfReportRenderer(ReportTemplates.in(folder.resolve("templates")))
            .render(SampleReport.content("周报", List.of()), "own");
    assertThat(report.missing()).isEmpty();
    assertThat(text(report)).contains("周报").doesNotContain("?");
  }

  @Test
  void labelsOfChartsAreDrawnWithTheseFontsToo() throws IOException {
    KpiDefinition chart =
        KpiDefinition.of("chart", "Chart", "shop", "scripts", "orders").look(DisplayType.BAR);
    RenderedReport without = render("Chart", chart);
    assertThat(without.missing()).contains((int) '订', (int) '単');
    TestFonts.write(folder, "han.ttf", "订単");
    assertThat(render("Chart", chart).missing()).isEmpty();
  }

  @Test
  void aChartHasAFontOfItsOwnOnlyWhereItNeedsOne() throws Exception {
    TestFonts.write(folder, "han.ttf", "订");
    FallbackFonts fallback = new FallbackFonts(new FontFolders(List.of(folder)));
    Document page = DocumentBuilderFactory.newDefaultInstance().newDocumentBuilder().newDocument();
    ChartData chart =
        new ChartData(ChartData.Kind.BAR, "n", "", List.of("订単", "b"), List.of(1.0, 2.0));
    PageFonts fonts = PageFonts.of(page, Map.of("c", chart), fallback);
    assertThat(fonts.painter()).isNotSameAs(ChartPainter.standard());
    assertThat(fonts.charts().get("c").labels()).containsExactly("订?", "b");
    assertThat(fonts.missing(List.of())).containsExactly((int) '単');

    PageFonts plain = PageFonts.of(page, Map.of("c", chart.labels(List.of("a", "b"))), fallback);
    assertThat(plain.painter()).isSameAs(ChartPainter.standard());
  }
}
