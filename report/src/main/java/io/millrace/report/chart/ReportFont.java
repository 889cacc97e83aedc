package io.millrace.report.chart;

import java.awt.Font;
import java.awt.FontFormatException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;

/** The faces of the font of reports, which come with a library. */
public enum ReportFont {
  REGULAR("Regular"),
  ITALIC("Italic"),
  SEMIBOLD("SemiBold"),
  BOLD("Bold"),
  BOLD_ITALIC("BoldItalic");

  /** Name of the font in style sheets. */
  public static final String FAMILY = "Source Sans Pro";

  private final String file;

  ReportFont(String face) {
    this.file = "/fonts/ttf/SourceSansPro/SourceSansPro-" + face + ".ttf";
  }

  /** Opens the TrueType font file. */
  public InputStream open() {
    InputStream stream = ReportFont.class.getResourceAsStream(file);
    if (stream == null) {
      throw new IllegalStateException(
          "The font file "
              + file
              + " is not on the class path; expected the library ph-fonts-source-sans-pro");
    }
    return stream;
  }

  /** Returns the font for drawing, in size 1. */
  public Font awt() {
    try (InputStream stream = open()) {
      return Font.createFont(Font.TRUETYPE_FONT, stream);
    } catch (FontFormatException | IOException e) {
      throw new IllegalStateException(
          "The font " + name().toLowerCase(Locale.ROOT) + " cannot be read: " + e.getMessage(), e);
    }
  }
}
