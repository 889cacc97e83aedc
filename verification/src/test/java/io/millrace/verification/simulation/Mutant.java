package io.millrace.verification.simulation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/**
 * The product with one deliberate fault in its protocol, which the simulator must find.
 *
 * @param name description of the fault
 * @param source changed file, relative to the repository's folder
 * @param original piece of the file that occurs once
 * @param changed replacement of that piece
 * @param firstSeed first seed to try; for a fault that shows very rarely, one near a seed that
 *     shows it
 * @param isSeldom true if it may break fewer than two of the schedules of {@link SimulationSmoke}
 */
record Mutant(
    String name, String source, String original, String changed, long firstSeed, boolean isSeldom) {

  Mutant(String name, String source, String original, String changed) {
    this(name, source, original, changed, 1, false);
  }

  Mutant seldom() {
    return from(firstSeed);
  }

  Mutant from(long seed) {
    return new Mutant(
        name,
        source,
        original,
        changed,
        isContinuous() ? SimWorld.withContinuous(seed) : seed,
        true);
  }

  /** True if only schedules with continuous workflows can show the fault. */
  private boolean isContinuous() {
    return source.contains("ontinuous");
  }

  /** Returns the distance between two seeds that can show the fault. */
  int step() {
    return isContinuous() ? SimWorld.PERIOD : 1;
  }

  private static final Path REPOSITORY = Path.of("..").toAbsolutePath().normalize();
  private static final Path TARGET = Path.of("target", "mutants").toAbsolutePath();

  /** Compiles the changed file and returns the folder of its classes. */
  Path compile() {
    Path file = REPOSITORY.resolve(source);
    try {
      String text = Files.readString(file);
      requireOnce(text);
      Path folder = TARGET.resolve(name.replaceAll("[^a-z]+", "-").toLowerCase(Locale.ROOT));
      Path copy = folder.resolve("source").resolve(file.getFileName());
      Path classes = folder.resolve("classes");
      Files.createDirectories(copy.getParent());
      Files.createDirectories(classes);
      Files.writeString(copy, text.replace(original, changed));
      compile(copy, classes);
      return classes;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void requireOnce(String text) {
    int first = text.indexOf(original);
    if (first < 0 || first != text.lastIndexOf(original)) {
      throw new IllegalStateException(
          "Mutant '" + name + "': expected exactly once in " + source + ": " + original);
    }
  }

  private void compile(Path copy, Path classes) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    List<String> options =
        List.of("-nowarn", "-d", classes.toString(), "-cp", System.getProperty("java.class.path"));
    var files = compiler.getStandardFileManager(null, null, null);
    StringBuilder output = new StringBuilder();
    boolean compiled =
        compiler
            .getTask(
                null,
                files,
                d -> output.append(d).append('\n'),
                options,
                null,
                files.getJavaFileObjects(copy))
            .call();
    if (!compiled) {
      throw new IllegalStateException("Mutant '" + name + "' does not compile: " + output);
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
