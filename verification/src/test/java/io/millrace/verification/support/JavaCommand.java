package io.millrace.verification.support;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command that starts another JVM of the same kind, on the same class path. */
public final class JavaCommand {

  private final List<String> options = new ArrayList<>();
  private final List<String> classPath = new ArrayList<>();

  public JavaCommand(String... options) {
    this.options.addAll(List.of(options));
    this.classPath.add(System.getProperty("java.class.path"));
  }

  /** Adds classes that precede all others. */
  public JavaCommand before(List<Path> folders) {
    classPath.addAll(0, folders.stream().map(Path::toString).toList());
    return this;
  }

  /** Returns a builder of the process, with one stream for its output and its errors. */
  public ProcessBuilder builder(Class<?> main, List<String> args) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.addAll(List.of("-cp", String.join(File.pathSeparator, classPath), main.getName()));
    command.addAll(args);
    return new ProcessBuilder(command).redirectErrorStream(true);
  }
}
