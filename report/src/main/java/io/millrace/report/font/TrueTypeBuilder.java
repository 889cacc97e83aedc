package io.millrace.report.font;

import java.awt.Shape;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Builder of a TrueType font of a few glyphs, 1000 units high. Not thread-safe. */
final class TrueTypeBuilder {

  static final int UNITS = 1000;

  private static final int ASCENT = 900;
  private static final int DESCENT = -250;

  private final String name;
  private final TreeMap<Integer, Glyph> glyphs = new TreeMap<>();

  private record Glyph(TrueTypeOutline outline, int advance) {}

  TrueTypeBuilder(String name) {
    this.name = name;
  }

  /**
   * Adds the glyph of a character.
   *
   * @param shape the outline, with the y axis downward and the baseline at 0
   */
  void add(int codePoint, Shape shape, double advance) {
    TrueTypeOutline outline = TrueTypeOutline.of(shape.getPathIterator(null));
    int width = (int) Math.round(Math.clamp(advance, 0, 10.0 * UNITS));
    glyphs.put(codePoint, new Glyph(outline, width));
  }

  boolean isEmpty() {
    return glyphs.isEmpty();
  }

  /** The content of a table. */
  private interface Writing {
    void to(DataOutputStream out) throws IOException;
  }

  private static byte[] table(Writing writing) {
    try {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      DataOutputStream out = new DataOutputStream(bytes);
      writing.to(out);
      out.flush();
      return bytes.toByteArray();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void shorts(DataOutputStream out, int... values) throws IOException {
    for (int value : values) {
      out.writeShort(value);
    }
  }

  /** Returns the font file. */
  byte[] build() {
    List<Glyph> all = new ArrayList<>();
    all.add(new Glyph(new TrueTypeOutline(new byte[0], 0), UNITS / 2));
    all.addAll(glyphs.values());
    Map<String, byte[]> tables = new LinkedHashMap<>();
    tables.put("OS/2", table(this::os2));
    tables.put("cmap", table(this::cmap));
    tables.put(
        "glyf",
        table(out -> {
          for (Glyph glyph : all) {
            out.write(glyph.outline().bytes());
          }
        }));
    tables.put("head", table(TrueTypeBuilder::head));
    tables.put(
        "hhea",
        table(out -> {
          out.writeInt(0x10000);
          shorts(out, ASCENT, DESCENT, 0, 10 * UNITS, -UNITS, -UNITS, 10 * UNITS, 1, 0, 0);
          shorts(out, 0, 0, 0, 0, 0, all.size());
        }));
    tables.put(
        "hmtx",
        table(out -> {
          for (Glyph glyph : all) {
            shorts(out, glyph.advance(), glyph.outline().left());
          }
        }));
    tables.put(
        "loca",
        table(out -> {
          int at = 0;
          out.writeInt(at);
          for (Glyph glyph : all) {
            at += glyph.outline().bytes().length;
            out.writeInt(at);
          }
        }));
    tables.put(
        "maxp",
        table(out -> {
          out.writeInt(0x10000);
          shorts(out, all.size(), 0x4000, 0x1000, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0);
        }));
    tables.put("name", table(this::names));
    tables.put(
        "post",
        table(out -> {
          out.writeInt(0x10000);
          out.writeInt(0);
          shorts(out, -100, 50);
          out.write(new byte[20]);
        }));
    return file(tables);
  }

  private static byte[] file(Map<String, byte[]> tables) {
    return table(out -> {
      out.writeInt(0x10000);
      int power = Integer.highestOneBit(tables.size());
      int log = Integer.numberOfTrailingZeros(power);
      shorts(out, tables.size(), power * 16, log, tables.size() * 16 - power * 16);
      int at = 12 + tables.size() * 16;
      for (Map.Entry<String, byte[]> one : tables.entrySet()) {
        out.write(one.getKey().getBytes(StandardCharsets.US_ASCII));
        out.writeInt(checksum(one.getValue()));
        out.writeInt(at);
        out.writeInt(one.getValue().length);
        at += (one.getValue().length + 3) / 4 * 4;
      }
      for (byte[] table : tables.values()) {
        out.write(table);
        out.write(new byte[(4 - table.length % 4) % 4]);
      }
      // PDFBox warns of a file that ends with the table post.
      out.writeInt(0);
    });
  }

  private static int checksum(byte[] table) {
    int sum = 0;
    for (int i = 0; i < table.length; i++) {
      sum += (table[i] & 0xFF) << (24 - i % 4 * 8);
    }
    return sum;
  }

  private static void head(DataOutputStream out) throws IOException {
    out.writeInt(0x10000);
    out.writeInt(0x10000);
    out.writeInt(0);
    out.writeInt(0x5F0F3CF5);
    shorts(out, 3, UNITS);
    out.writeLong(0);
    out.writeLong(0);
    shorts(out, -UNITS, DESCENT, 2 * UNITS, ASCENT, 0, 6, 2, 1, 0);
  }

  private void os2(DataOutputStream out) throws IOException {
    // Version, average width, weight, width, and the permission to embed it.
    shorts(out, 3, UNITS / 2, 400, 5, 0);
    shorts(out, 650, 600, 0, 75, 650, 600, 0, 350, 50, 250, 0);
    out.write(new byte[10]);
    out.write(new byte[16]);
    out.write("MILL".getBytes(StandardCharsets.US_ASCII));
    int first = glyphs.isEmpty() ? 0 : Math.min(0xFFFF, glyphs.firstKey());
    int last = glyphs.isEmpty() ? 0 : Math.min(0xFFFF, glyphs.lastKey());
    shorts(out, 0x40, first, last, ASCENT, DESCENT, 0, ASCENT, -DESCENT);
    out.write(new byte[8]);
    shorts(out, 500, 700, 0, 32, 1);
  }

  private void cmap(DataOutputStream out) throws IOException {
    shorts(out, 0, 1, 3, 10);
    out.writeInt(12);
    shorts(out, 12, 0);
    out.writeInt(16 + 12 * glyphs.size());
    out.writeInt(0);
    out.writeInt(glyphs.size());
    int glyph = 1;
    for (int codePoint : glyphs.keySet()) {
      out.writeInt(codePoint);
      out.writeInt(codePoint);
      out.writeInt(glyph++);
    }
  }

  private void names(DataOutputStream out) throws IOException {
    String[] texts = {name, "Regular", name, name};
    int[] ids = {1, 2, 4, 6};
    shorts(out, 0, ids.length, 6 + 12 * ids.length);
    int at = 0;
    for (int i = 0; i < ids.length; i++) {
      int length = texts[i].length() * 2;
      shorts(out, 3, 1, 0x409, ids[i], length, at);
      at += length;
    }
    for (String text : texts) {
      out.write(text.getBytes(StandardCharsets.UTF_16BE));
    }
  }
}
