package io.millrace.report.pdf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.millrace.report.chart.ReportFont;
import io.millrace.report.kpi.DisplayType;
import io.millrace.report.kpi.KpiDefinition;
import io.millrace.report.source.ResultTable;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import org.apache.pdfbox.Loader;
import org.apache.pdfbox.cos.COSName;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.PDPage;
import org.apache.pdfbox.pdmodel.font.PDFont;
import org.apache.pdfbox.text.PDFTextStripper;
import org.apache.pdfbox.text.TextPosition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PdfReportRendererTest {

  private record Pdf(String text, List<String> pages, List<PDFont> fonts, boolean tagged) {}

  private static Pdf read(byte[] pdf) throws IOException {
    try (PDDocument document = Loader.loadPDF(pdf)) {
      List<String> pages = new ArrayList<>();
      for (int i = 1; i <= document.getNumberOfPages(); i++) {
        PDFTextStripper stripper = new PDFTextStripper();
        stripper.setSortByPosition(true);
        stripper.setStartPage(i);
        stripper.setEndPage(i);
        pages.add(stripper.getText(document));
      }
      List<PDFont> fonts = new ArrayList<>();
      for (PDPage page : document.getPages()) {
        for (COSName name : page.getResources().getFontNames()) {
          fonts.add(page.getResources().getFont(name));
        }
      }
      boolean tagged = document.getDocumentCatalog().getMarkInfo().isMarked();
      return new Pdf(String.join("\n", pages), pages, fonts, tagged);
    }
  }

  private static Pdf shipped(ReportContent content) throws IOException {
    return read(
        new PdfReportRenderer(ReportTemplates.shipped())
            .render(content, ReportTemplates.DEFAULT)
            .pdf());
  }

  @Test
  void theReportSaysWhatItIsAboutAndWhatWasFound() throws IOException {
    Pdf pdf = shipped(SampleReport.content("The shop’s <week> & more", SampleReport.shop()));
    assertThat(pdf.pages().getFirst())
        .contains("<week> & more")
        .contains("16 – 22 November 2026")
        .contains("Generated 23 November 2026, 06:00 UTC")
        .contains("execution 1795231348784")
        .contains("772")
        .contains("▲ +10.3")
        .contains("▼ −9.5")
        .contains("In short")
        .contains("14 is 4 above the range of 0 to 10.");
    assertThat(pdf.text())
        .contains("Most on Fri 20 Nov (187), least on Sun 22 Nov (40).")
        .contains("Espresso machine “Crema”")
        .contains("No data in this window.");
    assertThat(pdf.pages()).hasSize(2);
    assertThat(pdf.pages().getLast()).contains("2 / 2");
  }

  @Test
  void allFontsAreInTheDocumentAndItIsTagged() throws IOException {
    Pdf pdf = shipped(SampleReport.content("Fonts", SampleReport.shop()));
    assertThat(pdf.fonts()).isNotEmpty().allMatch(PDFont::isEmbedded);
    assertThat(pdf.fonts()).allMatch(font -> font.getName().contains("SourceSansPro"));
    assertThat(pdf.tagged()).isTrue();
  }

  @Test
  void otherScriptsAreShownAsFarAsTheFontHasThem() throws IOException {
    Pdf pdf = shipped(SampleReport.content("Žluťoučký Ελληνικά Русский Việt ç ß 中文", List.of()));
    assertThat(pdf.text()).contains("Žluťoučký Ελληνικά Русский Việt ç ß ??");
    assertThat(shipped(SampleReport.content("x", SampleReport.shop())).text())
        .contains("Καφές, 1 kg")
        .contains("Самовар, латунь");
  }

  @Test
  void wordsThatAreJoinedInPrintCanBeFound() throws IOException {
    assertThat(shipped(SampleReport.content("after official flight", List.of())).text())
        .contains("after official flight");
  }

  @Test
  void oneFigureIsOnePageAndFortyAreSome() throws IOException {
    assertThat(shipped(SampleReport.content("One", SampleReport.many(1))).pages()).hasSize(1);
    Pdf forty = shipped(SampleReport.content("Forty", SampleReport.many(40)));
    assertThat(forty.pages()).hasSizeBetween(5, 10);
    assertThat(forty.pages())
        .allSatisfy(page -> assertThat(page.strip().lines().count()).isGreaterThan(5));
    // A heading is on the same page as the content below it.
    assertThat(forty.pages())
        .allSatisfy(page -> {
          List<String> lines = page.lines().filter(l -> !l.isBlank()).toList();
          assertThat(lines.get(lines.size() - 2)).isNotIn("Sales", "Service");
        });
  }

  @Test
  void nothingToReportIsSaid() throws IOException {
    Pdf pdf = shipped(SampleReport.content("Empty", List.of()));
    assertThat(pdf.pages()).hasSize(1);
    assertThat(pdf.text()).contains("Nothing to report");
  }

  @Test
  void aLongTextIsBrokenAndALongTableIsCut() throws IOException {
    String title = "Supercalifragilistic".repeat(12);
    KpiDefinition table =
        KpiDefinition.of("t", "Rows", "shop", "many rows", "orders").look(DisplayType.TABLE);
    Pdf pdf = shipped(SampleReport.content(title, List.of(table)));
    assertThat(pdf.text().replaceAll("\\s", "")).contains(title);
    assertThat(pdf.text()).contains("and 35 more");
  }

  /** Returns the right end of the rightmost glyph, in points. */
  private static float rightEnd(byte[] pdf) throws IOException {
    float[] right = new float[1];
    try (PDDocument document = Loader.loadPDF(pdf)) {
      new PDFTextStripper() {
        @Override
        protected void processTextPosition(TextPosition text) {
          right[0] = Math.max(right[0], text.getXDirAdj() + text.getWidthDirAdj());
        }
      }.getText(document);
    }
    return right[0];
  }

  @Test
  void whatIsWideStaysWithinTheMargins() throws IOException {
    ReportContent content = SampleReport.content("M".repeat(200), SampleReport.wide());
    byte[] bytes =
        new PdfReportRenderer(ReportTemplates.shipped())
            .render(content, ReportTemplates.DEFAULT)
            .pdf();
    // The width of A4 minus 16 mm.
    assertThat(rightEnd(bytes)).isLessThanOrEqualTo(595.3f - 45.3f);
    String text = read(bytes).text().replaceAll("\\s", "");
    assertThat(text).contains("123456789.123456", "123456804.123456", "x".repeat(40));
  }

  @Test
  void aTableOfManyColumnsIsSplitAndItsPartsBeginWithTheFirstColumn() throws IOException {
    ResultTable resultTable =
        new ResultTable(
            IntStream.range(0, 16).mapToObj(i -> "column_" + i).toList(),
            List.of(
                IntStream.range(0, 16)
                    .mapToObj(i -> (Object) (i == 0 ? "label" : 123456789.123456 + i))
                    .toList()));
    List<Map<String, Object>> parts = new TableLayout(resultTable, 25).parts();
    assertThat(parts).hasSizeGreaterThan(1);
    assertThat(parts)
        .allSatisfy(part -> assertThat(part.get("columns").toString()).contains("label=Column 0"));
    assertThat(parts.toString()).contains("label=Column 15");
    assertThat(new TableLayout(ResultTable.empty("a", "b"), 25).parts()).hasSize(1);
  }

  @Test
  void tablesShowNumbersAsTheyAre() throws IOException {
    Pdf pdf = shipped(SampleReport.content("Figures", SampleReport.figures()));
    assertThat(pdf.text())
        .contains("2026 48210339 1234.56 0.0004")
        .contains("2025 9007199254740993 -0.125 0.666667");
  }

  @Test
  void aChartSaysWhenItLeavesPointsOut() throws IOException {
    List<String> lines =
        shipped(SampleReport.content("Figures", SampleReport.figures())).text().lines().toList();
    assertThat(lines)
        .filteredOn(
            "Drawn are 1,000 of 10,000 points: the lowest and the highest of each stretch."::equals)
        .hasSize(2);
    assertThat(shipped(SampleReport.content("Shop", SampleReport.shop())).text())
        .doesNotContain("Drawn are");
  }

  @Test
  void aTemplateOfTheUserIsUsedWithItsOwnFiles(@TempDir Path home) throws IOException {
    Path folder = template(home, "<img src=\"logo.png\" alt=\"logo\"/>");
    Files.copy(image(home), folder.resolve("logo.png"));
    assertThat(render(home).text()).contains("Mine: Title");
  }

  @Test
  void aTemplateMayBringAFont(@TempDir Path home) throws IOException {
    Path folder =
        template(
            home,
            """
            <style>@font-face { font-family: Own; src: url(fonts/own.ttf) }
              h1 { font-family: Own; font-weight: normal }</style>
            """);
    try (InputStream font = ReportFont.ITALIC.open()) {
      Files.copy(font, Files.createDirectories(folder.resolve("fonts")).resolve("own.ttf"));
    }
    assertThat(render(home).fonts())
        .allMatch(PDFont::isEmbedded)
        .anyMatch(font -> font.getName().endsWith("SourceSansPro-Italic"));
  }

  @Test
  void aTemplateMayLinkToPages(@TempDir Path home) throws IOException {
    template(home, "<p><a href=\"https://example.org/a?b=c\">More</a></p>");
    assertThat(render(home).text()).contains("More");
  }

  @Test
  void aStyleSheetOfTheFolderIsRead(@TempDir Path home) throws IOException {
    Path folder = template(home, "<link rel=\"stylesheet\" href=\"own.css\"/>");
    Files.writeString(folder.resolve("own.css"), "@import url(more.css);");
    Files.writeString(folder.resolve("more.css"), "h1:after { content: ' STYLED' }");
    assertThat(render(home).text()).contains("Mine: Title STYLED");
  }

  @Test
  void aTemplateReachesNothingButItsFolder(@TempDir Path home) throws IOException {
    Path secret = Files.writeString(home.resolve("secret.css"), "h1:after { content: 'LEAKED' }");
    AtomicInteger calls = new AtomicInteger();
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          calls.incrementAndGet();
          exchange.sendResponseHeaders(404, -1);
          exchange.close();
        });
    server.start();
    try {
      String http = "http://127.0.0.1:" + server.getAddress().getPort() + "/x.css";
      for (String uri :
          List.of(
              http,
              secret.toUri().toString(),
              secret.toString(),
              "../secret.css",
              "data:text/css,h1%7Bcolor:red%7D")) {
        for (String tag :
            List.of(
                "<link rel=\"stylesheet\" href=\"%s\"/>",
                "<img src=\"%s\" alt=\"x\"/>",
                "<style>@import url(%s); h1 { background: url(%s) }</style>",
                "<style>@font-face { font-family: X; src: url(%s) } h1 { font-family: X, 'Source"
                    + " Sans Pro' }</style>",
                "<object type=\"application/pdf\" data=\"%s\"></object>",
                "<a href=\"%s\" download=\"x\">x</a>")) {
          template(home, tag.replace("%s", uri));
          try {
            assertThat(render(home).text()).as(uri + tag).doesNotContain("LEAKED");
          } catch (TemplateException refused) {
            assertThat(refused.getMessage()).as(uri + tag).contains("own");
          }
        }
      }
    } finally {
      server.stop(0);
    }
    assertThat(calls).hasValue(0);
  }

  @Test
  void entitiesAndScriptsDoNothing(@TempDir Path home) throws IOException {
    Path folder = template(home, "<script>document.title = 'LEAKED'</script>");
    assertThat(render(home).text()).doesNotContain("LEAKED");
    Files.writeString(
        folder.resolve("report.html"),
        "<!DOCTYPE html [<!ENTITY x SYSTEM"
            + " \"file:///etc/hostname\">]><html><body>&x;</body></html>");
    assertThatThrownBy(() -> render(home)).isInstanceOf(TemplateException.class);
    Files.writeString(folder.resolve("report.html"), "<html>\n<body><p>{{title}}</body></html>");
    assertThatThrownBy(() -> render(home)).hasMessageContaining("line 2");
  }

  private static Path template(Path home, String inside) throws IOException {
    Path folder = Files.createDirectories(home.resolve("templates/own"));
    boolean ofHead = inside.startsWith("<link") || inside.startsWith("<style");
    Files.writeString(
        folder.resolve("report.html"),
        """
        <!DOCTYPE html>
        <html lang="en"><head><title>{{title}}</title><meta name="subject" content="x"/>
        <style>* { font-family: "Source Sans Pro" }</style>HEAD</head>
        <body><h1>Mine: {{title}}</h1>INSIDE</body></html>
        """
            .replace("HEAD", ofHead ? inside : "")
            .replace("INSIDE", ofHead ? "" : inside));
    return folder;
  }

  private static Path image(Path home) throws IOException {
    Path file = home.resolve("image.png");
    ImageIO.write(new BufferedImage(4, 4, BufferedImage.TYPE_INT_RGB), "png", file.toFile());
    return file;
  }

  private static Pdf render(Path home) throws IOException {
    PdfReportRenderer reports =
        new PdfReportRenderer(ReportTemplates.in(home.resolve("templates")));
    return read(reports.render(SampleReport.content("Title", List.of()), "own").pdf());
  }
}
