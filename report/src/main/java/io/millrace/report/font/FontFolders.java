package io.millrace.report.font;

import java.io.IOException;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The fonts in some folders. Nothing is read before a font is asked for. Thread-safe. */
public final class FontFolders {

  private static final Logger LOG = LoggerFactory.getLogger(FontFolders.class);

  private static final int DEPTH = 8;
  private static final int MAX_FILES = 20_000;
  private static final Pattern FONT = Pattern.compile("(?i).*[.](ttf|ttc|otf|otc)");

  /** Names of fonts that draw a box for every character. */
  private static final Pattern PLACEHOLDERS = Pattern.compile("(?i).*(lastresort|adobeblank).*");

  private static final Pattern SLANTED_OR_BOLD =
      Pattern.compile("(?i).*(bold|italic|oblique|black|heavy|light|thin).*");
  private static final Pattern SPECIAL =
      Pattern.compile("(?i).*(mono|serif|condensed|display|medium|unifont|math|rashi|kufi|ui-).*");

  private final List<Path> folders;
  private final Map<Path, Known> known = new HashMap<>();

  private int reads;

  private record Known(FileTime modified, FontCoverage coverage) {}

  /**
   * Creates an index of folders and their subfolders.
   *
   * @param folders need not exist; fonts of earlier folders are preferred
   */
  public FontFolders(List<Path> folders) {
    this.folders = List.copyOf(folders);
  }

  /** Returns the folders in which the operating system keeps fonts. */
  public static List<Path> ofMachine() {
    List<Path> folders = new ArrayList<>();
    String home = System.getProperty("user.home", "");
    if (!home.isBlank()) {
      folders.add(Path.of(home, ".local/share/fonts"));
      folders.add(Path.of(home, ".fonts"));
      folders.add(Path.of(home, "Library/Fonts"));
    }
    folders.add(Path.of("/usr/local/share/fonts"));
    folders.add(Path.of("/usr/share/fonts"));
    folders.add(Path.of("/Library/Fonts"));
    folders.add(Path.of("/System/Library/Fonts"));
    String windows = System.getenv("WINDIR");
    if (windows != null && !windows.isBlank()) {
      folders.add(Path.of(windows, "Fonts"));
    }
    return folders;
  }

  /** Returns the font files, the preferred ones first. */
  List<Path> files() {
    List<Path> all = new ArrayList<>();
    for (Path folder : folders) {
      if (!Files.isDirectory(folder)) {
        continue;
      }
      try (Stream<Path> files = Files.walk(folder, DEPTH, FileVisitOption.FOLLOW_LINKS)) {
        files
            .filter(file -> FONT.matcher(name(file)).matches())
            .filter(file -> !PLACEHOLDERS.matcher(name(file)).matches())
            .limit(MAX_FILES)
            .sorted(Comparator.comparingInt(FontFolders::rank).thenComparing(Path::compareTo))
            .forEach(all::add);
      } catch (IOException | RuntimeException e) {
        LOG.debug("The fonts in {} cannot be listed", folder, e);
      }
    }
    return all;
  }

  private static String name(Path file) {
    return String.valueOf(file.getFileName());
  }

  private static int rank(Path file) {
    String name = name(file).toLowerCase(Locale.ROOT);
    return (SLANTED_OR_BOLD.matcher(name).matches() ? 4 : 0)
        + (SPECIAL.matcher(name).matches() ? 2 : 0)
        + (name.startsWith("notosans") ? 0 : 1);
  }

  /** Returns the characters that a font file covers; none when it cannot be read. */
  synchronized FontCoverage coverage(Path file) {
    try {
      FileTime modified = Files.getLastModifiedTime(file);
      Known before = known.get(file);
      if (before != null && before.modified().equals(modified)) {
        return before.coverage();
      }
      known.put(file, new Known(modified, read(file)));
      return known.get(file).coverage();
    } catch (IOException e) {
      LOG.debug("The font {} cannot be read", file, e);
      return FontCoverage.NONE;
    }
  }

  /** Returns how many files have been read; for tests. */
  synchronized int readFiles() {
    return reads;
  }

  private FontCoverage read(Path file) {
    reads++;
    try {
      return FontCoverage.of(file);
    } catch (IOException e) {
      LOG.debug("The font {} cannot be used", file, e);
      return FontCoverage.NONE;
    }
  }
}
