package io.millrace.report.pdf;

import com.openhtmltopdf.outputdevice.helper.BaseRendererBuilder.FontStyle;
import com.openhtmltopdf.pdfboxout.PDFontSupplier;
import com.openhtmltopdf.pdfboxout.PdfRendererBuilder;
import io.millrace.report.chart.ReportFont;
import java.io.IOException;
import java.io.InputStream;
import org.apache.fontbox.ttf.TTFParser;
import org.apache.fontbox.ttf.TrueTypeFont;
import org.apache.pdfbox.io.RandomAccessReadBuffer;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.font.PDFont;
import org.apache.pdfbox.pdmodel.font.PDType0Font;

/** Embeds the report's font in a document. */
final class PdfFonts {

  private PdfFonts() {}

  static void add(PdfRendererBuilder builder, PDDocument document) throws IOException {
    add(builder, document, ReportFont.REGULAR, 400, FontStyle.NORMAL);
    add(builder, document, ReportFont.ITALIC, 400, FontStyle.ITALIC);
    add(builder, document, ReportFont.SEMIBOLD, 600, FontStyle.NORMAL);
    add(builder, document, ReportFont.BOLD, 700, FontStyle.NORMAL);
    add(builder, document, ReportFont.BOLD_ITALIC, 700, FontStyle.ITALIC);
  }

  private static void add(
      PdfRendererBuilder builder, PDDocument document, ReportFont face, int weight, FontStyle style)
      throws IOException {
    PDFont font = load(document, face);
    builder.useFont(new PDFontSupplier(font), ReportFont.FAMILY, weight, style, true);
  }

  private static PDFont load(PDDocument document, ReportFont face) throws IOException {
    try (InputStream file = face.open()) {
      TrueTypeFont font = new TTFParser().parse(new RandomAccessReadBuffer(file));
      // Letters joined into one glyph would be missing when the text is searched or read aloud.
      font.setEnableGsub(false);
      document.registerTrueTypeFontForClosing(font);
      return PDType0Font.load(document, font, true);
    }
  }
}
