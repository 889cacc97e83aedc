package io.millrace.server.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The attributes of the files of a folder, by which a changed, added or removed file is noticed.
 */
record FolderSnapshot(List<FileStamp> files) {

  private static final Logger LOG = LoggerFactory.getLogger(FolderSnapshot.class);

  /** The attributes of a file. */
  record FileStamp(Path file, FileTime modified, long size, boolean readable) {}

  static FolderSnapshot of(Path folder) {
    List<FileStamp> found = new ArrayList<>();
    if (Files.isDirectory(folder)) {
      try (Stream<Path> files = Files.list(folder)) {
        for (Path file : files.sorted().toList()) {
          BasicFileAttributes now = Files.readAttributes(file, BasicFileAttributes.class);
          found.add(
              new FileStamp(file, now.lastModifiedTime(), now.size(), Files.isReadable(file)));
        }
      } catch (IOException e) {
        LOG.debug("{} cannot be looked at", folder, e);
      }
    }
    return new FolderSnapshot(List.copyOf(found));
  }
}
