package io.millrace.examples.report.page;

import java.util.Locale;

/** An SVG drawing as text. Coordinates have one decimal and a decimal point in every locale. */
final class Svg {

  private final StringBuilder text = new StringBuilder();

  /**
   * Starts a drawing.
   *
   * @param words description for readers who cannot see it
   */
  Svg(double width, double height, String words) {
    text.append("<svg viewBox=\"0 0 ").append(px(width)).append(" ").append(px(height));
    text.append("\" role=\"img\" aria-label=\"").append(Html.escape(words)).append("\">\n");
  }

  Svg line(String style, double x1, double y1, double x2, double y2) {
    text.append("<line class=\"").append(style).append('"');
    attribute("x1", x1).attribute("y1", y1).attribute("x2", x2).attribute("y2", y2);
    text.append("/>\n");
    return this;
  }

  Svg path(String style, String path) {
    text.append("<path class=\"%s\" d=\"%s\"/>\n".formatted(style, path));
    return this;
  }

  /** Writes text that starts at x. */
  Svg text(double x, double y, String words) {
    return text(x, y, "start", words);
  }

  /** Writes text that ends at x. */
  Svg textUpTo(double x, double y, String words) {
    return text(x, y, "end", words);
  }

  private Svg text(double x, double y, String anchor, String words) {
    text.append("<text text-anchor=\"").append(anchor).append('"');
    attribute("x", x).attribute("y", y);
    text.append('>').append(Html.escape(words)).append("</text>\n");
    return this;
  }

  /** Draws a rectangle with corners rounded by {@code radius}, and {@code hint} as its tooltip. */
  Svg box(String style, Box box, double opacity, String hint) {
    text.append("<rect class=\"").append(style).append('"');
    attribute("x", box.x).attribute("y", box.y);
    attribute("width", box.width).attribute("height", box.height).attribute("rx", box.radius);
    if (opacity < 1) {
      text.append(String.format(Locale.ROOT, " fill-opacity=\"%.2f\"", opacity));
    }
    text.append("><title>").append(Html.escape(hint)).append("</title></rect>\n");
    return this;
  }

  /** The position and size of a rectangle. */
  record Box(double x, double y, double width, double height, double radius) {}

  private Svg attribute(String name, double value) {
    text.append(' ').append(name).append("=\"").append(px(value)).append('"');
    return this;
  }

  /** Formats a coordinate. */
  static String px(double value) {
    String text = String.format(Locale.ROOT, "%.1f", value);
    return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
  }

  /** Returns the whole drawing. */
  @Override
  public String toString() {
    return text + "</svg>\n";
  }
}
