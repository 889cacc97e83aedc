package io.millrace.benchmarks.workload.millrace;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** A new folder for an H2 database, deleted on close. */
record H2Folder(Path path) implements AutoCloseable {

  static H2Folder create() throws IOException {
    return new H2Folder(Files.createTempDirectory("millrace-benchmark-h2"));
  }

  String url() {
    return "jdbc:h2:file:" + path.resolve("database");
  }

  @Override
  public void close() throws IOException {
    try (Stream<Path> files = Files.walk(path)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
