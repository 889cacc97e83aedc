package io.millrace.report.pdf;

import com.openhtmltopdf.outputdevice.helper.BaseRendererBuilder.FSFontUseCase;
import com.openhtmltopdf.outputdevice.helper.BaseRendererBuilder.FontStyle;
import com.openhtmltopdf.pdfboxout.PdfRendererBuilder;
import io.millrace.report.chart.ChartData;
import io.millrace.report.chart.ChartPainter;
import io.millrace.report.chart.ReportFont;
import io.millrace.report.font.FallbackFonts;
import io.millrace.report.font.FontCoverage;
import io.millrace.report.font.ShapedText;
import java.awt.Font;
import java.awt.FontFormatException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;

/** The fonts that a page needs besides the font of reports, and its texts adapted to them. */
final class PageFonts {

  private static final String FAMILY = "Millrace Fallback";
  private static final FontCoverage REPORT = coverage();

  private final FallbackFonts.Glyphs glyphs;
  private final Map<String, ChartData> charts;
  private final ChartPainter painter;

  private PageFonts(
      FallbackFonts.Glyphs glyphs, Map<String, ChartData> charts, ChartPainter painter) {
    this.glyphs = glyphs;
    this.charts = charts;
    this.painter = painter;
  }

  private static FontCoverage coverage() {
    try (InputStream file = ReportFont.REGULAR.open()) {
      return FontCoverage.of(file.readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Finds the fonts, and changes the texts of the page. */
  static PageFonts of(Document page, Map<String, ChartData> charts, FallbackFonts fallback) {
    Set<Integer> needed = new TreeSet<>();
    NodeList bodies = page.getElementsByTagName("body");
    for (int i = 0; i < bodies.getLength(); i++) {
      prepare(bodies.item(i), needed);
    }
    Map<String, ChartData> plain = new HashMap<>();
    Set<Integer> inCharts = new TreeSet<>();
    charts.forEach((name, chart) -> {
      ChartData one = chart.labels(chart.labels().stream().map(ShapedText::of).toList());
      one.labels().forEach(label -> ShapedText.addMissing(label, REPORT, inCharts));
      plain.put(name, one);
    });
    needed.addAll(inCharts);
    FallbackFonts.Glyphs glyphs = fallback.find(needed);
    plain.replaceAll((name, chart) ->
        chart.labels(chart.labels().stream().map(label -> known(label, glyphs)).toList()));
    ChartPainter painter = inCharts.isEmpty() ? ChartPainter.standard() : painter(plain, glyphs);
    return new PageFonts(glyphs, plain, painter);
  }

  private static String known(String label, FallbackFonts.Glyphs glyphs) {
    if (label.codePoints().noneMatch(glyphs.missing()::contains)) {
      return label;
    }
    StringBuilder text = new StringBuilder();
    label
        .codePoints()
        .map(c -> glyphs.missing().contains(c) ? '?' : c)
        .forEach(text::appendCodePoint);
    return text.toString();
  }

  private static void prepare(Node node, Set<Integer> needed) {
    for (Node one = node.getFirstChild(); one != null; one = one.getNextSibling()) {
      if (one.getNodeType() == Node.TEXT_NODE) {
        String text = ShapedText.of(one.getNodeValue());
        one.setNodeValue(text);
        ShapedText.addMissing(text, REPORT, needed);
      } else {
        prepare(one, needed);
      }
    }
  }

  /** Returns a painter whose font has the glyphs of several fonts. */
  private static ChartPainter painter(Map<String, ChartData> charts, FallbackFonts.Glyphs glyphs) {
    Set<Integer> all = new TreeSet<>();
    for (int c = ' '; c < 0x7F; c++) {
      all.add(c);
    }
    "…−".codePoints().forEach(all::add);
    charts
        .values()
        .forEach(chart -> chart.labels().forEach(label -> label.codePoints().forEach(all::add)));
    byte[] font = glyphs.font(all, ReportFont.REGULAR.awt());
    if (font == null) {
      return ChartPainter.standard();
    }
    try {
      return new ChartPainter(Font.createFont(Font.TRUETYPE_FONT, new ByteArrayInputStream(font)));
    } catch (FontFormatException | IOException e) {
      throw new IllegalStateException("The font of a chart cannot be read: " + e.getMessage(), e);
    }
  }

  /** Adds a note at the end of the page. */
  static void addNote(Document page, String note) {
    NodeList bodies = page.getElementsByTagName("body");
    if (bodies.getLength() == 0) {
      return;
    }
    Element paragraph = page.createElement("p");
    paragraph.setAttribute("style", "font-size: 8.5pt; margin-top: 6mm");
    paragraph.setTextContent(note);
    bodies.item(0).appendChild(paragraph);
  }

  /** Adds the fonts for characters that no other font has. */
  void addTo(PdfRendererBuilder builder) {
    byte[] font = glyphs.font();
    if (font != null) {
      builder.useFont(
          () -> new ByteArrayInputStream(font),
          FAMILY,
          400,
          FontStyle.NORMAL,
          true,
          EnumSet.of(FSFontUseCase.FALLBACK_FINAL));
    }
  }

  /** Returns the characters that neither these fonts nor those of the template have. */
  Set<Integer> missing(List<FontCoverage> ofTemplate) {
    Set<Integer> missing = new TreeSet<>(glyphs.missing());
    missing.removeIf(c -> ofTemplate.stream().anyMatch(font -> font.has(c)));
    return missing;
  }

  /** Returns the charts, with labels adapted to the painter's font. */
  Map<String, ChartData> charts() {
    return charts;
  }

  ChartPainter painter() {
    return painter;
  }
}
