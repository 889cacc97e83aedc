package io.millrace.server;

import io.millrace.instance.MillraceException;
import io.millrace.server.config.DatabaseConfig;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The files of an H2 database, which hold all data and must be readable by their owner only. */
final class DatabaseFiles {

  private static final Logger LOG = LoggerFactory.getLogger(DatabaseFiles.class);

  private static final Pattern FILE_URL =
      Pattern.compile("jdbc:h2:(?:file:)?((?!mem:|tcp:|ssl:|zip:|[a-zA-Z]{2,}:)[^;]+).*");
  private static final List<String> ENDINGS = List.of(".mv.db");

  private DatabaseFiles() {}

  /** True for an H2 database that is kept in a file of this machine. */
  static boolean isFile(DatabaseConfig database) {
    return FILE_URL.matcher(database.url()).matches();
  }

  /**
   * Creates the file and its folder with access for their owner only, and removes the rights of
   * others from files that exist. Does nothing for other databases, and on systems without POSIX
   * permissions.
   */
  static void protect(DatabaseConfig database) {
    Matcher url = FILE_URL.matcher(database.url());
    if (!url.matches()) {
      return;
    }
    String name = url.group(1);
    Path base =
        Path.of(name.startsWith("~") ? System.getProperty("user.home") + name.substring(1) : name)
            .toAbsolutePath();
    if (!base.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      return;
    }
    try {
      protect(base);
    } catch (IOException e) {
      throw new MillraceException(
          "The file of "
              + database.shownUrl()
              + " cannot be made for its owner only: "
              + e.getMessage()
              + ". Check the rights of its folder.",
          e);
    }
  }

  private static void protect(Path base) throws IOException {
    Path folder = base.getParent();
    if (folder != null && !Files.isDirectory(folder)) {
      Files.createDirectories(
          folder,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }
    for (String ending : ENDINGS) {
      Path file = base.resolveSibling(base.getFileName() + ending);
      try {
        Files.createFile(
            file,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      } catch (FileAlreadyExistsException e) {
        restrict(file);
      }
    }
  }

  private static void restrict(Path file) {
    try {
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    } catch (IOException e) {
      LOG.warn("The rights of {} were not restricted to its owner: {}", file, e.getMessage());
    }
  }
}
