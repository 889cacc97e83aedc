package io.millrace.verification.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A page of the documentation.
 *
 * @param top folder of the checkout
 */
record DocPage(Path top, Path file, List<String> lines) {

  /** A block of code with the comment line before it; the comment is empty if there is none. */
  record Block(int line, String language, String comment, String text) {

    /**
     * Returns the source of the text: a file, and a region in it or an empty name for the whole
     * file.
     */
    Source source() {
      Matcher from = Pattern.compile("<!-- from ([^#\\s]+)(?:#(\\S+))? -->").matcher(comment);
      if (!from.matches()) {
        throw new AssertionError(
            "The "
                + language
                + " block in line "
                + line
                + " does not say where it is from; put a comment"
                + " <!-- from path#marker --> above it");
      }
      return new Source(from.group(1), from.group(2) == null ? "" : from.group(2));
    }
  }

  /** A region of a file. */
  record Source(String path, String marker) {

    String text(Path top) {
      List<String> lines = read(top.resolve(path));
      return marker.isEmpty() ? String.join("\n", lines) : region(lines);
    }

    private String region(List<String> lines) {
      int begin = find(lines, "// docs:" + marker, 0);
      int end = find(lines, "// docs:end", begin);
      return String.join("\n", lines.subList(begin + 1, end)).stripTrailing().stripIndent().strip();
    }

    private int find(List<String> lines, String wanted, int from) {
      for (int i = from; i < lines.size(); i++) {
        if (lines.get(i).strip().equals(wanted)) {
          return i;
        }
      }
      throw new AssertionError(path + " has no line '" + wanted + "'");
    }
  }

  /** Returns the folder of the checkout in which the tests run. */
  static Path checkout() {
    for (Path folder = Path.of("").toAbsolutePath(); folder != null; folder = folder.getParent()) {
      if (Files.exists(folder.resolve("README.md"))
          && Files.isDirectory(folder.resolve("engine"))) {
        return folder;
      }
    }
    throw new IllegalStateException("The tests do not run inside the checkout");
  }

  static DocPage read(Path top, String path) {
    Path file = top.resolve(path);
    return new DocPage(top, file, read(file));
  }

  /** Returns all pages of the project. */
  static List<DocPage> all(Path top) {
    List<DocPage> pages = new ArrayList<>();
    for (String single :
        List.of("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "verification/REQUIREMENTS.md")) {
      pages.add(read(top, single));
    }
    for (String folder : List.of("docs", "adr")) {
      try (Stream<Path> files = Files.walk(top.resolve(folder))) {
        files
            .filter(f -> f.toString().endsWith(".md"))
            .sorted()
            .forEach(f -> pages.add(new DocPage(top, f, read(f))));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return pages;
  }

  /** Returns the lines below a heading of the second level, up to the next one. */
  List<String> section(String heading) {
    int begin = lines.indexOf("## " + heading);
    if (begin < 0) {
      throw new AssertionError(this + " has no section '" + heading + "'");
    }
    int end = begin + 1;
    while (end < lines.size() && !lines.get(end).startsWith("## ")) {
      end++;
    }
    return lines.subList(begin + 1, end);
  }

  /** Returns the fenced blocks. */
  List<Block> blocks() {
    List<Block> blocks = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).startsWith("```")) {
        int begin = i;
        int end = begin + 1;
        while (!lines.get(end).equals("```")) {
          end++;
        }
        String before = begin == 0 ? "" : lines.get(begin - 1);
        blocks.add(
            new Block(
                begin + 1,
                lines.get(begin).substring(3),
                before.startsWith("<!--") ? before : "",
                String.join("\n", lines.subList(begin + 1, end))));
        i = end;
      }
    }
    return blocks;
  }

  /** Returns the targets of links within the project, without the part after '#'. */
  List<Path> links() {
    List<Path> links = new ArrayList<>();
    Pattern link = Pattern.compile("]\\(([^)#\\s]+)[^)]*\\)");
    for (String line : lines) {
      for (Matcher m = link.matcher(line); m.find(); ) {
        if (!m.group(1).contains("://")) {
          links.add(file.resolveSibling(m.group(1)).normalize());
        }
      }
    }
    return links;
  }

  private static List<String> read(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public String toString() {
    return top.relativize(file).toString();
  }
}
