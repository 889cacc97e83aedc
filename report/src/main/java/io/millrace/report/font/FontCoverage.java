package io.millrace.report.font;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The characters that a font file has glyphs for: TrueType or OpenType, or the first font of a
 * collection. Only the tables {@code cmap} and {@code OS/2} are read. Immutable.
 */
public final class FontCoverage {

  /** A font that covers nothing. */
  static final FontCoverage NONE = new FontCoverage(new int[0]);

  private static final int COLLECTION = 0x74746366;
  private static final int CMAP = 0x636D6170;
  private static final int OS2 = 0x4F532F32;
  private static final int MAX_TABLES = 200;
  private static final int LARGEST_TABLE = 4 * 1024 * 1024;
  private static final int LAST_CODE_POINT = 0x10FFFF;

  /** Starts and ends of ranges, in ascending order. */
  private final int[] ranges;

  private FontCoverage(int[] ranges) {
    this.ranges = ranges;
  }

  /** Random access to the bytes of a font. */
  private interface Source {
    ByteBuffer read(long position, int length) throws IOException;
  }

  private record Place(long offset, int length) {}

  /**
   * Reads a file.
   *
   * @throws IOException when it is not a font
   */
  static FontCoverage of(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      return read((position, length) -> {
        ByteBuffer bytes = ByteBuffer.allocate(length);
        while (bytes.hasRemaining()) {
          if (channel.read(bytes, position + bytes.position()) < 0) {
            throw new EOFException(file + " ends within a table");
          }
        }
        return bytes.flip();
      });
    }
  }

  /**
   * Reads the bytes of a file.
   *
   * @throws IOException when they are not a font
   */
  public static FontCoverage of(byte[] font) throws IOException {
    return read((position, length) -> {
      if (position < 0 || position + length > font.length) {
        throw new EOFException("The font ends within a table");
      }
      return ByteBuffer.wrap(font, (int) position, length).slice();
    });
  }

  private static FontCoverage read(Source source) throws IOException {
    try {
      Map<Integer, Place> tables = tables(source);
      Place cmap = tables.get(CMAP);
      if (cmap == null || isRestricted(source, tables.get(OS2))) {
        return NONE;
      }
      ByteBuffer bytes = source.read(cmap.offset(), cmap.length());
      BitSet found = new BitSet();
      int subtable = subtable(bytes);
      if (subtable > 0) {
        characters(bytes, subtable, found);
      }
      return new FontCoverage(ranges(found));
    } catch (RuntimeException e) {
      throw new IOException("The tables of the font contradict each other: " + e, e);
    }
  }

  private static Map<Integer, Place> tables(Source source) throws IOException {
    long start = 0;
    if (source.read(0, 4).getInt() == COLLECTION) {
      start = Integer.toUnsignedLong(source.read(12, 4).getInt());
    }
    int count = Short.toUnsignedInt(source.read(start + 4, 2).getShort());
    if (count > MAX_TABLES) {
      throw new IOException("A font of " + count + " tables; expected at most " + MAX_TABLES);
    }
    ByteBuffer entries = source.read(start + 12, count * 16);
    Map<Integer, Place> tables = new HashMap<>();
    for (int i = 0; i < count; i++) {
      int tag = entries.getInt(i * 16);
      int length = entries.getInt(i * 16 + 12);
      if (length >= 0 && length <= LARGEST_TABLE) {
        tables.put(tag, new Place(Integer.toUnsignedLong(entries.getInt(i * 16 + 8)), length));
      }
    }
    return tables;
  }

  /** True if the maker of the font does not permit embedding. */
  private static boolean isRestricted(Source source, @Nullable Place os2) throws IOException {
    return os2 != null
        && os2.length() >= 10
        && (source.read(os2.offset() + 8, 2).getShort() & 0xF) == 2;
  }

  /** Returns the position of the best table of Unicode characters; 0 when there is none. */
  private static int subtable(ByteBuffer bytes) {
    int best = 0;
    int bestRank = 0;
    int count = Short.toUnsignedInt(bytes.getShort(2));
    for (int i = 0; i < count; i++) {
      int platform = bytes.getShort(4 + i * 8);
      int encoding = bytes.getShort(6 + i * 8);
      int position = bytes.getInt(8 + i * 8);
      int format = Short.toUnsignedInt(bytes.getShort(position));
      boolean unicode = platform == 0 || (platform == 3 && (encoding == 1 || encoding == 10));
      int rank = !unicode ? 0 : format == 12 ? 2 : format == 4 ? 1 : 0;
      if (rank > bestRank) {
        best = position;
        bestRank = rank;
      }
    }
    return best;
  }

  private static void characters(ByteBuffer bytes, int start, BitSet found) {
    if (bytes.getShort(start) == 12) {
      int groups = bytes.getInt(start + 12);
      for (int i = 0; i < groups; i++) {
        int group = start + 16 + i * 12;
        int first = bytes.getInt(group);
        int last = Math.min(bytes.getInt(group + 4), LAST_CODE_POINT);
        if (first >= 0 && first <= last) {
          found.set(first, last + 1);
        }
      }
      return;
    }
    int doubled = Short.toUnsignedInt(bytes.getShort(start + 6));
    int ends = start + 14;
    int starts = ends + doubled + 2;
    for (int i = 0; i < doubled; i += 2) {
      int first = Short.toUnsignedInt(bytes.getShort(starts + i));
      int last = Short.toUnsignedInt(bytes.getShort(ends + i));
      int rangeOffset = Short.toUnsignedInt(bytes.getShort(starts + 2 * doubled + i));
      for (int c = first; c <= last && c < 0xFFFF; c++) {
        int at = starts + 2 * doubled + i + rangeOffset + 2 * (c - first);
        if (rangeOffset == 0 || bytes.getShort(at) != 0) {
          found.set(c);
        }
      }
    }
  }

  private static int[] ranges(BitSet found) {
    int[] ranges = new int[16];
    int count = 0;
    for (int from = found.nextSetBit(0); from >= 0; ) {
      int to = found.nextClearBit(from);
      if (count + 2 > ranges.length) {
        ranges = Arrays.copyOf(ranges, ranges.length * 2);
      }
      ranges[count++] = from;
      ranges[count++] = to - 1;
      from = found.nextSetBit(to);
    }
    return Arrays.copyOf(ranges, count);
  }

  /** True if the font has a glyph for the character. */
  public boolean has(int codePoint) {
    int at = Arrays.binarySearch(ranges, codePoint);
    return at >= 0 || (-at - 1) % 2 == 1;
  }
}
