package io.millrace.verification.architecture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.StreamSupport;

/** The text files of a checkout that people write: no output, no libraries. */
final class TextFiles {

  private static final Set<String> GENERATED =
      Set.of(".git", "target", "node_modules", "output", "dist", "data", "coverage");

  private final Map<String, String> texts = new TreeMap<>();

  private TextFiles() {}

  /** Returns the files below {@code top} of these kinds, such as {@code md}. */
  static TextFiles below(Path top, Set<String> kinds) {
    TextFiles files = new TextFiles();
    try {
      Files.walkFileTree(
          top,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
              boolean source = isSource(top.relativize(folder));
              return GENERATED.contains(folder.getFileName().toString()) && !source
                  ? FileVisitResult.SKIP_SUBTREE
                  : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                throws IOException {
              String name = file.getFileName().toString();
              if (kinds.contains(name.substring(name.lastIndexOf('.') + 1))) {
                files.texts.put(
                    top.relativize(file).toString().replace('\\', '/'), Files.readString(file));
              }
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return files;
  }

  /** Returns true for a package, which may be named as a folder of output is. */
  private static boolean isSource(Path folder) {
    return StreamSupport.stream(folder.spliterator(), false).anyMatch(Path.of("src")::equals);
  }

  /** Returns the texts by their paths below the top, with {@code /} between folders. */
  Map<String, String> texts() {
    return texts;
  }

  /** Returns the texts whose paths are accepted. */
  Map<String, String> texts(Predicate<String> accepted) {
    Map<String, String> some = new TreeMap<>(texts);
    some.keySet().removeIf(accepted.negate());
    return some;
  }

  /** Returns the line, from 1, of a place in a text. */
  static long line(String text, int place) {
    return 1 + text.substring(0, place).chars().filter(c -> c == '\n').count();
  }
}
