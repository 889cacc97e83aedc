package io.millrace.continuous;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Names of files that the locale of the process cannot write as text. Their files cannot be opened
 * by the names that events carry, so they are skipped and reported.
 */
final class UnreadableFileNames {

  private static final Logger LOG = LoggerFactory.getLogger(FolderTrigger.class);
  private static final Duration BETWEEN_WARNINGS = Duration.ofMinutes(10);

  private final String workflow;
  private final Path folder;
  private int skipped;
  private @Nullable String first;
  private @Nullable Long warned;

  /**
   * @param folder absolute
   */
  UnreadableFileNames(String workflow, Path folder) {
    this.workflow = workflow;
    this.folder = folder;
  }

  /**
   * Returns true if the text leads back to the file; otherwise it is counted for the next report.
   *
   * @param name of the file, within the folder
   */
  boolean isReadable(Path file, String name) {
    try {
      if (folder.resolve(name).equals(file)) {
        return true;
      }
    } catch (InvalidPathException e) {
      // counted below, with the name as it is on the disk
    }
    skipped++;
    first = first == null ? escaped(file) : first;
    return false;
  }

  /** Returns the name with all bytes that are not plain ASCII as %XX. */
  private String escaped(Path file) {
    String whole = file.toUri().getRawPath();
    String above = folder.toUri().getRawPath();
    return whole.startsWith(above) ? whole.substring(above.length()).replaceFirst("^/", "") : whole;
  }

  /** Writes a warning if there are such names, at most once in ten minutes. */
  void report(long now) {
    if (skipped > 0 && (warned == null || now - warned >= BETWEEN_WARNINGS.toNanos())) {
      warned = now;
      LOG.warn(
          "Skipped files whose names the locale of this process cannot write as text. Start the"
              + " process with a UTF-8 locale such as LC_ALL=C.UTF-8, or rename them to valid"
              + " UTF-8. workflow={} folder={} skipped={} name={}",
          workflow,
          folder,
          skipped,
          first);
    }
    skipped = 0;
    first = null;
  }
}
