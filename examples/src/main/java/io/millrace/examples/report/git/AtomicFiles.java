package io.millrace.examples.report.git;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Objects;

/** Files that are written to disk completely or not at all. */
public final class AtomicFiles {

  private AtomicFiles() {}

  /**
   * Writes a file and replaces an existing one. A reader of {@code file} never sees a part of it.
   */
  public static void write(Path file, String text) throws IOException {
    Path folder = Objects.requireNonNull(file.toAbsolutePath().getParent(), "a file, not a root");
    Path temporary = folder.resolve("." + file.getFileName() + ".tmp");
    Files.createDirectories(folder);
    try (FileChannel channel =
        FileChannel.open(
            temporary,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      ByteBuffer bytes = StandardCharsets.UTF_8.encode(text);
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(true);
    }
    Files.move(
        temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
