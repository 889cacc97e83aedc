package io.millrace.verification.architecture;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Rules without which the Java platform cannot load the jars of a checkout as modules. */
record ModuleRules(Path top) {

  private static final String MAIN = "src/main/java";

  /** Returns the packages that several jars have. */
  List<String> packagesOfSeveral() {
    Map<String, Integer> counts = new TreeMap<>();
    for (Path module : modules()) {
      Path main = module.resolve(MAIN);
      JavaSources.below(main).files().stream()
          .map(file -> main.relativize(file.getParent()).toString())
          .distinct()
          .forEach(name -> counts.merge(name.replace(File.separatorChar, '.'), 1, Integer::sum));
    }
    counts.values().removeIf(count -> count == 1);
    return List.copyOf(counts.keySet());
  }

  /** Returns the folders whose jar has not the module name of its packages in the manifest. */
  List<String> withoutName() {
    return modules().stream()
        .filter(module -> !text(module.resolve("pom.xml")).contains(property(module)))
        .map(module -> module.getFileName().toString())
        .toList();
  }

  private static String property(Path module) {
    String name = module.getFileName().toString().replace("-", "");
    return "<millrace.module>io.millrace." + name + "</millrace.module>";
  }

  private List<Path> modules() {
    try (Stream<Path> folders = Files.list(top)) {
      return folders.filter(folder -> Files.isDirectory(folder.resolve(MAIN))).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
