package io.millrace.verification.architecture;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.LineMap;
import com.sun.source.tree.MethodTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** The Java sources of the project, parsed by the compiler. */
final class JavaSources {

  /** The limits on the size of sources. */
  record Budget(int fileLines, int methodLines, int constructorParameters) {
    static final Budget OURS = new Budget(500, 60, 7);
  }

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

  /** Returns the production sources of all modules. */
  static JavaSources ofProduction() {
    Path top = top();
    return below(
        top.resolve("engine/src/main/java"),
        top.resolve("testing/src/main/java"),
        top.resolve("rabbitmq/src/main/java"),
        top.resolve("examples/src/main/java"),
        top.resolve("benchmarks/src/main/java"));
  }

  /** Returns the sources of all modules that users get. */
  static JavaSources ofUsers() {
    try (Stream<Path> modules = Files.list(top())) {
      return below(
          modules
              .filter(module -> !module.endsWith("benchmarks"))
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

  /** Returns a sentence for each violation of the budget. */
  List<String> overBudget(Budget budget) {
    List<String> faults = new ArrayList<>();
    for (Path file : files) {
      int lines = lines(file);
      if (lines > budget.fileLines()) {
        faults.add(file.getFileName() + " has " + lines + " lines");
      }
    }
    faults.addAll(methodsOverBudget(budget));
    return faults;
  }

  private List<String> methodsOverBudget(Budget budget) {
    List<String> faults = new ArrayList<>();
    scan(task -> new MethodScanner(Trees.instance(task).getSourcePositions(), budget, faults));
    return faults;
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

  private static int lines(Path file) {
    try {
      return Files.readAllLines(file).size();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static final class MethodScanner extends TreeScanner<Void, CompilationUnitTree> {
    private final SourcePositions positions;
    private final Budget budget;
    private final List<String> faults;

    MethodScanner(SourcePositions positions, Budget budget, List<String> faults) {
      this.positions = positions;
      this.budget = budget;
      this.faults = faults;
    }

    @Override
    public Void visitMethod(MethodTree method, CompilationUnitTree unit) {
      LineMap map = unit.getLineMap();
      long begin = map.getLineNumber(positions.getStartPosition(unit, method));
      long end = map.getLineNumber(positions.getEndPosition(unit, method));
      String name =
          Path.of(unit.getSourceFile().toUri()).getFileName()
              + ":"
              + begin
              + " "
              + method.getName();
      if (end - begin + 1 > budget.methodLines()) {
        faults.add(name + " has " + (end - begin + 1) + " lines");
      }
      boolean constructor = method.getName().contentEquals("<init>");
      if (constructor && method.getParameters().size() > budget.constructorParameters()) {
        faults.add(name + " has " + method.getParameters().size() + " parameters");
      }
      return super.visitMethod(method, unit);
    }
  }
}
