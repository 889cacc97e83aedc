package io.millrace.verification.architecture;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreeScanner;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** The Java sources of the project, parsed by the compiler. */
final class JavaSources {

  private final List<Path> files;

  private JavaSources(List<Path> files) {
    this.files = files;
  }

  /** Returns all source files below {@code roots}. */
  static JavaSources below(Path... roots) {
    List<Path> files = new ArrayList<>();
    for (Path root : roots) {
      try (Stream<Path> all = Files.walk(root)) {
        all.filter(p -> p.toString().endsWith(".java")).sorted().forEach(files::add);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return new JavaSources(files);
  }

  /** Returns the sources of all modules that are not tests. */
  static JavaSources ofProduction() {
    return ofModules(module -> true);
  }

  /** Returns the sources of all modules that users get. */
  static JavaSources ofUsers() {
    return ofModules(module -> !module.endsWith("benchmarks"));
  }

  private static JavaSources ofModules(Predicate<Path> accepted) {
    try (Stream<Path> modules = Files.list(top())) {
      return below(
          modules
              .filter(module -> !module.endsWith("fixtures"))
              .filter(accepted)
              .map(module -> module.resolve("src/main/java"))
              .filter(Files::isDirectory)
              .toArray(Path[]::new));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the folder of the checkout. */
  static Path top() {
    for (Path folder = Path.of("").toAbsolutePath(); folder != null; folder = folder.getParent()) {
      if (Files.isDirectory(folder.resolve("engine/src/main/java"))) {
        return folder;
      }
    }
    throw new IllegalStateException("The tests do not run inside the checkout");
  }

  List<Path> files() {
    return files;
  }

  /** Returns the folders of packages without package-info. */
  List<Path> foldersWithoutPackageInfo() {
    return files.stream()
        .map(Path::getParent)
        .distinct()
        .filter(folder -> !Files.exists(folder.resolve("package-info.java")))
        .toList();
  }

  /** Returns the simple names that several files have. */
  List<String> namesOfSeveral() {
    Map<String, Long> counts =
        files.stream()
            .map(file -> file.getFileName().toString())
            .filter(name -> !name.equals("package-info.java"))
            .collect(Collectors.groupingBy(name -> name, TreeMap::new, Collectors.counting()));
    counts.values().removeIf(count -> count == 1);
    return List.copyOf(counts.keySet());
  }

  /** Scans all files; the scanner gets the current file. */
  void scan(Function<JavacTask, TreeScanner<Void, CompilationUnitTree>> scanner) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
      JavacTask task =
          (JavacTask)
              compiler.getTask(
                  null,
                  manager,
                  null,
                  List.of("-proc:none"),
                  null,
                  manager.getJavaFileObjectsFromPaths(files));
      TreeScanner<Void, CompilationUnitTree> reader = scanner.apply(task);
      for (CompilationUnitTree unit : task.parse()) {
        reader.scan(unit, unit);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
