package io.millrace.report.font;

import java.awt.Font;
import java.awt.FontFormatException;
import java.awt.Shape;
import java.awt.font.FontRenderContext;
import java.awt.font.GlyphVector;
import java.awt.geom.AffineTransform;
import java.io.IOException;
import java.nio.file.Path;
import java.text.Normalizer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Source of glyphs for characters that another font lacks: the fonts in some folders. The outlines
 * are copied into a new font, so that documents stay small and the format of the original font does
 * not matter. Thread-safe.
 */
public final class FallbackFonts {

  private static final Logger LOG = LoggerFactory.getLogger(FallbackFonts.class);
  private static final FontRenderContext CONTEXT = new FontRenderContext(null, true, true);
  private static final int MAX_OPEN = 8;
  private static final String NAME = "MillraceFallback";

  private final FontFolders folders;
  private final Map<Path, Font> open = new LinkedHashMap<>();

  public FallbackFonts(FontFolders folders) {
    this.folders = folders;
  }

  /**
   * Glyphs by character, and the characters that no font has.
   *
   * @param missing in ascending order
   */
  public record Glyphs(Map<Integer, Glyph> found, Set<Integer> missing) {

    /** Returns a font file of all glyphs, or null when there are none. */
    public byte @Nullable [] font() {
      return FallbackFonts.font(found);
    }

    /**
     * Returns a font file with the glyphs of characters, taken from a given font where it has them.
     *
     * @param first the font to prefer
     */
    public byte @Nullable [] font(Set<Integer> codePoints, Font first) {
      Font large = first.deriveFont((float) TrueTypeBuilder.UNITS);
      Map<Integer, Glyph> all = new TreeMap<>();
      for (int codePoint : codePoints) {
        Glyph glyph = glyph(large, codePoint);
        glyph = glyph == null ? found.get(codePoint) : glyph;
        if (glyph != null) {
          all.put(codePoint, glyph);
        }
      }
      return FallbackFonts.font(all);
    }
  }

  /** A glyph in thousandths of the font's size. */
  public record Glyph(Shape shape, double advance) {}

  private static byte @Nullable [] font(Map<Integer, Glyph> glyphs) {
    TrueTypeBuilder builder = new TrueTypeBuilder(NAME);
    glyphs.forEach((codePoint, glyph) -> builder.add(codePoint, glyph.shape(), glyph.advance()));
    return builder.isEmpty() ? null : builder.build();
  }

  /** Finds glyphs. Reads no font when there is nothing to find. */
  public Glyphs find(Set<Integer> codePoints) {
    Map<Integer, Glyph> found = new TreeMap<>();
    TreeSet<Integer> missing = new TreeSet<>(codePoints);
    List<Path> files = missing.isEmpty() ? List.of() : folders.files();
    for (Path file : files) {
      if (missing.isEmpty()) {
        break;
      }
      FontCoverage coverage = folders.coverage(file);
      if (missing.stream().anyMatch(c -> covers(coverage, c))) {
        take(file, coverage, missing, found);
      }
    }
    return new Glyphs(found, missing);
  }

  private static boolean covers(FontCoverage coverage, int codePoint) {
    if (coverage.has(codePoint)) {
      return true;
    }
    return ArabicForms.joined(codePoint) != null
        && letters(Character.toString(codePoint)).allMatch(coverage::has);
  }

  /** Returns the letters of a text of shapes, without joiners. */
  private static IntStream letters(String shapes) {
    return Normalizer.normalize(shapes, Normalizer.Form.NFKC).chars().filter(Character::isLetter);
  }

  private void take(
      Path file, FontCoverage coverage, Set<Integer> missing, Map<Integer, Glyph> found) {
    Font font = load(file);
    if (font == null) {
      return;
    }
    missing.removeIf(codePoint -> {
      Glyph glyph = covers(coverage, codePoint) ? glyph(font, codePoint) : null;
      if (glyph != null) {
        found.put(codePoint, glyph);
      }
      return glyph != null;
    });
  }

  private synchronized @Nullable Font load(Path file) {
    Font known = open.get(file);
    if (known != null) {
      return known;
    }
    try {
      Font font = Font.createFonts(file.toFile())[0].deriveFont((float) TrueTypeBuilder.UNITS);
      if (open.size() >= MAX_OPEN) {
        open.clear();
      }
      open.put(file, font);
      return font;
    } catch (FontFormatException
        | IOException
        | RuntimeException
        | LinkageError
        | InternalError e) {
      // A machine without font libraries throws errors; the characters are then missing.
      LOG.debug("The font {} cannot be used", file, e);
      return null;
    }
  }

  /** Returns the glyph of a character, or null when the font has none or only a picture. */
  private static @Nullable Glyph glyph(Font font, int codePoint) {
    String text = Character.toString(codePoint);
    GlyphVector vector;
    if (font.canDisplay(codePoint)) {
      vector = font.createGlyphVector(CONTEXT, text);
    } else {
      String joined = ArabicForms.joined(codePoint);
      if (joined == null || !letters(joined).allMatch(font::canDisplay)) {
        return null;
      }
      char[] letters = joined.toCharArray();
      vector =
          font.layoutGlyphVector(CONTEXT, letters, 0, letters.length, Font.LAYOUT_RIGHT_TO_LEFT);
    }
    Shape shape = vector.getOutline();
    double advance = vector.getGlyphPosition(vector.getNumGlyphs()).getX();
    if (shape.getBounds2D().isEmpty()) {
      return Character.isSpaceChar(codePoint) ? new Glyph(shape, advance) : null;
    }
    if (Character.getType(codePoint) == Character.NON_SPACING_MARK && advance > 0) {
      shape = AffineTransform.getTranslateInstance(-advance, 0).createTransformedShape(shape);
      advance = 0;
    }
    return new Glyph(shape, advance);
  }
}
