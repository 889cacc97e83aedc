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
 * The classes of a jar, or of a folder of jars, as they were at one time. Its files are deleted
 * when it is closed, or when nothing uses its classes any more. Thread-safe.
 *
 * @param classes below the server's own, so that both know the same engine
 * @param files in their order, all of them open
 * @param deletion of the files
 */
record JarCopy(URLClassLoader classes, List<Path> files, Cleaner.Cleanable deletion)
    implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(JarCopy.class);

  /**
   * False if somebody else has deleted files: classes are still found, other entries may not be.
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
