package io.millrace.server.plugin;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.UserPrincipal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A folder that only this process uses, and that is deleted with it. If a process was killed, the
 * next one deletes its folder. A lock on a file in the folder shows whether its process lives,
 * since processes in containers and on other machines may have the same id. Thread-safe.
 */
final class ProcessFolder implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ProcessFolder.class);

  static final String PREFIX = "millrace-jars-";
  static final String LOCK = "lock";

  /**
   * The folders of this process, to be locked while folders are created and inspected. Their file
   * locks are never tested: a system may release a lock when any channel to its file is closed.
   */
  private static final Set<Path> OURS = new HashSet<>();

  private final Path path;
  private final FileChannel lock;

  private ProcessFolder(Path path, FileChannel lock) {
    this.path = path;
    this.lock = lock;
  }

  /** Creates a folder in the first of {@code parents} that allows it. */
  static ProcessFolder open(List<Path> parents) throws IOException {
    IOException failed = new NoSuchFileException(parents.toString());
    for (Path parent : parents) {
      if (!Files.isDirectory(parent)) {
        continue;
      }
      try {
        return openIn(parent.toRealPath());
      } catch (IOException e) {
        LOG.debug("No folder for copies can be made in {}", parent, e);
        failed = e;
      }
    }
    throw failed;
  }

  private static ProcessFolder openIn(Path parent) throws IOException {
    synchronized (OURS) {
      while (true) {
        Path path = Files.createTempDirectory(parent, PREFIX + ProcessHandle.current().pid() + "-");
        FileChannel lock = lock(path);
        if (lock != null) {
          OURS.add(path);
          return new ProcessFolder(path, lock);
        }
      }
    }
  }

  /**
   * Locks a folder; returns null if another process deleted it as a leftover before it was locked.
   */
  private static @Nullable FileChannel lock(Path path) throws IOException {
    Path file = path.resolve(LOCK);
    FileChannel channel = null;
    try {
      channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
      channel.lock();
      if (Files.exists(file)) {
        return channel;
      }
      channel.close();
      return null;
    } catch (IOException e) {
      if (channel != null) {
        channel.close();
      }
      delete(path);
      throw e;
    }
  }

  /** Deletes the folders in {@code parent} whose processes have ended. */
  static void deleteLeftovers(Path parent) {
    if (!Files.isDirectory(parent)) {
      return;
    }
    synchronized (OURS) {
      try {
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> all =
            Files.newDirectoryStream(parent.toRealPath(), PREFIX + "*")) {
          all.forEach(found::add);
        }
        found.removeAll(OURS);
        if (found.isEmpty()) {
          return;
        }
        UserPrincipal self = self(parent);
        for (Path path : found) {
          // In a shared folder, only trust what this user owns.
          if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)
              && self.equals(Files.getOwner(path, LinkOption.NOFOLLOW_LINKS))) {
            deleteIfLeft(path);
          }
        }
      } catch (IOException | RuntimeException e) {
        LOG.debug("{} was not searched for what other processes left", parent, e);
      }
    }
  }

  private static UserPrincipal self(Path parent) throws IOException {
    Path probe = Files.createTempFile(parent, "millrace-", null);
    try {
      return Files.getOwner(probe);
    } finally {
      Files.delete(probe);
    }
  }

  private static void deleteIfLeft(Path path) {
    try (FileChannel channel =
            FileChannel.open(
                path.resolve(LOCK), StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
        FileLock lock = channel.tryLock()) {
      if (lock != null) {
        deleteAll(path);
        LOG.info("Deleted {}, which a server that was killed left behind", path);
      }
    } catch (NoSuchFileException e) {
      LOG.debug("{} has no lock: its process begins or ends", path);
    } catch (IOException e) {
      LOG.debug("{} was not deleted", path, e);
    }
  }

  /**
   * Deletes the lock file last, so that an interrupted deletion leaves a folder that can be found.
   */
  private static void deleteAll(Path path) throws IOException {
    try (DirectoryStream<Path> all = Files.newDirectoryStream(path)) {
      for (Path one : all) {
        if (!one.endsWith(LOCK)) {
          delete(one);
        }
      }
    }
    Files.deleteIfExists(path.resolve(LOCK));
    Files.deleteIfExists(path);
  }

  /** Deletes a file or folder as far as possible. */
  static void delete(Path root) {
    try {
      Files.walkFileTree(
          root,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes as) throws IOException {
              Files.deleteIfExists(file);
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
              if (e instanceof NoSuchFileException) {
                return FileVisitResult.CONTINUE;
              }
              throw e;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException e)
                throws IOException {
              Files.deleteIfExists(folder);
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException e) {
      LOG.debug("{} was not deleted", root, e);
    }
  }

  Path path() {
    return path;
  }

  /** Deletes the folder and its contents. */
  @Override
  public void close() {
    synchronized (OURS) {
      try (lock) {
        deleteAll(path);
      } catch (IOException e) {
        LOG.debug("{} was not deleted; the next server does it", path, e);
      }
      OURS.remove(path);
    }
  }
}
