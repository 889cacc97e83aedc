package io.millrace.verification.chaos.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** A wrong wall clock for one process, by libfaketime; its monotonic clock stays right. */
final class FakeClock {

  private static final String LIBRARY = "libfaketimeMT.so.1";

  private static final Path ABOVE = Path.of("/usr/lib");

  private final Path library;
  private final Path file;

  private FakeClock(Path library, Path file) {
    this.library = library;
    this.file = file;
  }

  /**
   * Returns a clock that is set by a file in {@code folder}; empty if the library is not installed.
   */
  static Optional<FakeClock> in(Path folder) throws IOException {
    if (!Files.isDirectory(ABOVE)) {
      return Optional.empty();
    }
    try (Stream<Path> places = Files.list(ABOVE)) {
      return Stream.concat(Stream.of(ABOVE, Path.of("/usr/lib64")), places)
          .map(place -> place.resolve("faketime").resolve(LIBRARY))
          .filter(Files::exists)
          .findFirst()
          .map(library -> new FakeClock(library, folder.resolve("clock")));
    }
  }

  /** Makes the clock differ from the true one by a number of minutes. */
  void set(long minutes) throws IOException {
    Path next = file.resolveSibling("clock.next");
    Files.writeString(next, (minutes < 0 ? "" : "+") + minutes * 60 + "\n");
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  Map<String, String> environment() {
    return Map.of(
        "LD_PRELOAD",
        library.toString(),
        "FAKETIME_TIMESTAMP_FILE",
        file.toString(),
        "FAKETIME_NO_CACHE",
        "1",
        "FAKETIME_DONT_FAKE_MONOTONIC",
        "1");
  }

  /** Deletes the shared memory that the library leaves when its process is killed. */
  static void forget(long pid) throws IOException {
    for (String name : new String[] {"sem.faketime_sem_", "faketime_shm_"}) {
      Files.deleteIfExists(Path.of("/dev/shm", name + pid));
    }
  }
}
