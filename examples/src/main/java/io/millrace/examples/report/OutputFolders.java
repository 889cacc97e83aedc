package io.millrace.examples.report;

import io.millrace.examples.report.git.CommitArchive;
import io.millrace.examples.report.page.ReportPage;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The only folders to which this program writes.
 *
 * @param data folder of the database, the collected commits and the log
 * @param reports folder of the finished pages
 */
public record OutputFolders(Path data, Path reports) {

  /**
   * Version of the format of stored commits; a change makes the program collect all commits again.
   */
  private static final String FORMAT = "v1";

  private static final int MAX_NAME = 100;
  private static final int HEAD_LINES = 20;

  Path database() {
    return data.resolve("millrace");
  }

  Path logs() {
    return data.resolve("log");
  }

  CommitArchive archive(String key) {
    return new CommitArchive(data.resolve("commits").resolve(FORMAT).resolve(key));
  }

  /**
   * Returns the file of a repository's report; its name contains the key if another repository has
   * taken the plain name.
   */
  Path report(String repository, String key) throws IOException {
    String name =
        repository.replaceAll("[^\\p{L}\\p{M}\\p{N}._-]+", "-").replaceFirst("^[.-]+", "");
    String base =
        name.isEmpty() ? "repository" : name.substring(0, Math.min(MAX_NAME, name.length()));
    Path plain = reports.resolve(base + "-report.html");
    return Files.notExists(plain) || isAbout(plain, key)
        ? plain
        : reports.resolve(base + "-" + key + "-report.html");
  }

  private static boolean isAbout(Path report, String key) throws IOException {
    try (BufferedReader lines = Files.newBufferedReader(report)) {
      return lines.lines().limit(HEAD_LINES).anyMatch(ReportPage.mark(key)::equals);
    }
  }
}
