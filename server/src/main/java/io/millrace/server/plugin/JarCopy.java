package io.millrace.server.plugin;

import java.io.IOException;
import java.lang.ref.Cleaner;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A copy of the classes of a jar, or of a folder of jars, at one time. Its files are deleted when
 * it is closed, or when nothing uses its classes any more. Thread-safe.
 *
 * @param classes class loader below that of the server, so that both share the engine's classes
 * @param files the files in order, all of them open
 * @param deletion deletes the files
 */
record JarCopy(URLClassLoader classes, List<Path> files, Cleaner.Cleanable deletion)
    implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(JarCopy.class);

  /**
   * False if another process has deleted files: classes are still found, but other entries may be
   * missing.
   */
  boolean isWhole() {
    return files.stream().allMatch(Files::exists);
  }

  @Override
  public void close() {
    close(classes);
    deletion.clean();
  }

  static void close(URLClassLoader classes) {
    try {
      classes.close();
    } catch (IOException e) {
      LOG.debug("The class loader {} was not closed", classes.getName(), e);
    }
  }
}
