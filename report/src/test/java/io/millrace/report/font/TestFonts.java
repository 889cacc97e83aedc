package io.millrace.report.font;

import java.awt.geom.Rectangle2D;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;

/** Fonts whose glyphs are boxes. */
public final class TestFonts {

  private TestFonts() {}

  /** Returns a font of these characters, each half as wide as it is high. */
  public static byte[] of(String characters) {
    TrueTypeBuilder builder = new TrueTypeBuilder("Boxes");
    characters
        .codePoints()
        .forEach(c -> builder.add(c, new Rectangle2D.Double(50, -700, 400, 700), 500));
    return builder.build();
  }

  /** Writes a font of these characters into a folder. */
  public static Path write(Path folder, String name, String characters) throws IOException {
    return Files.write(Files.createDirectories(folder).resolve(name), of(characters));
  }

  /** Returns a collection of one font. */
  static byte[] collection(byte[] font) {
    int header = 16;
    ByteBuffer out = ByteBuffer.allocate(header + font.length);
    out.putInt(0x74746366).putInt(0x10000).putInt(1).putInt(header).put(font);
    for (int i = 0; i < out.getShort(header + 4); i++) {
      int entry = header + 12 + i * 16 + 8;
      out.putInt(entry, out.getInt(entry) + header);
    }
    return out.array();
  }
}
