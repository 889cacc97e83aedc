package io.millrace.report.pdf;

import io.millrace.report.chart.ReportFont;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import org.apache.fontbox.FontBoxFont;
import org.apache.fontbox.ttf.TTFParser;
import org.apache.fontbox.ttf.TrueTypeFont;
import org.apache.pdfbox.io.RandomAccessReadBuffer;
import org.apache.pdfbox.pdmodel.font.CIDFontMapping;
import org.apache.pdfbox.pdmodel.font.FontMapper;
import org.apache.pdfbox.pdmodel.font.FontMappers;
import org.apache.pdfbox.pdmodel.font.FontMapping;
import org.apache.pdfbox.pdmodel.font.PDCIDSystemInfo;
import org.apache.pdfbox.pdmodel.font.PDFontDescriptor;

/**
 * Font mapper that keeps PDFBox from searching the fonts of the machine, and from leaving a file
 * about them in the home folder. The renderer asks PDFBox for two fonts of forms, which no report
 * has. The mapper answers only the thread that makes a report; for all others PDFBox works as
 * before.
 */
final class ReportFontMapper implements FontMapper {

  /** Rendering of a report. When it ends, the thread uses PDFBox's own mapper again. */
  interface Rendering {
    void run() throws IOException;
  }

  private static final ThreadLocal<Boolean> RENDERING = ThreadLocal.withInitial(() -> false);

  private final FontMapper others;
  private final TrueTypeFont instead;

  private ReportFontMapper(FontMapper others) {
    this.others = others;
    try (InputStream file = ReportFont.REGULAR.open()) {
      this.instead = new TTFParser().parse(new RandomAccessReadBuffer(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static synchronized void install() {
    if (!(FontMappers.instance() instanceof ReportFontMapper)) {
      FontMappers.set(new ReportFontMapper(FontMappers.instance()));
    }
  }

  static void during(Rendering rendering) throws IOException {
    install();
    RENDERING.set(true);
    try {
      rendering.run();
    } finally {
      RENDERING.remove();
    }
  }

  @Override
  public FontMapping<TrueTypeFont> getTrueTypeFont(String name, PDFontDescriptor descriptor) {
    return RENDERING.get()
        ? new FontMapping<>(instead, false)
        : others.getTrueTypeFont(name, descriptor);
  }

  @Override
  public FontMapping<FontBoxFont> getFontBoxFont(String name, PDFontDescriptor descriptor) {
    return RENDERING.get()
        ? new FontMapping<>(instead, false)
        : others.getFontBoxFont(name, descriptor);
  }

  @Override
  public CIDFontMapping getCIDFont(
      String name, PDFontDescriptor descriptor, PDCIDSystemInfo system) {
    return others.getCIDFont(name, descriptor, system);
  }
}
