package io.millrace.verification.chaos.postgres;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** A disk in memory that can be filled at once; only root can mount one. */
final class SmallDisk implements AutoCloseable {

  private static final long KILOBYTE = 1 << 10;
  private static final int MAX_TRIES = 20;

  private final Path folder;
  private final long megabytes;

  private SmallDisk(Path folder, long megabytes) {
    this.folder = folder;
    this.megabytes = megabytes;
  }

  /** Mounts a disk on {@code folder}; empty if this is not permitted. */
  static Optional<SmallDisk> mount(Path folder, long megabytes)
      throws IOException, InterruptedException {
    if (!PostgresPrograms.isRoot()) {
      return Optional.empty();
    }
    try {
      PostgresPrograms.system(
          "mount", "-t", "tmpfs", "-o", "size=" + megabytes + "m", "tmpfs", folder.toString());
    } catch (IOException e) {
      return Optional.empty();
    }
    return Optional.of(new SmallDisk(folder, megabytes));
  }

  /**
   * Removes all free space. Writes in the meantime can make the measured size too small, so this
   * retries.
   */
  void fill() throws IOException, InterruptedException {
    for (int left = MAX_TRIES; ; left--) {
      FileStore store = Files.getFileStore(folder);
      try {
        resize((store.getTotalSpace() - store.getUnallocatedSpace()) / KILOBYTE + 1);
        return;
      } catch (IOException e) {
        if (left == 0) {
          throw e;
        }
      }
    }
  }

  /** Restores the full size. */
  void free() throws IOException, InterruptedException {
    resize(megabytes * KILOBYTE);
  }

  private void resize(long kilobytes) throws IOException, InterruptedException {
    PostgresPrograms.system("mount", "-o", "remount,size=" + kilobytes + "k", folder.toString());
  }

  @Override
  public void close() throws IOException {
    try {
      // Lazy, because a process of a killed server may still be ending.
      PostgresPrograms.system("umount", "--lazy", folder.toString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
