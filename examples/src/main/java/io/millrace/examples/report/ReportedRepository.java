package io.millrace.examples.report;

import io.millrace.examples.report.git.GitRepository;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * The repository to report on.
 *
 * @param head newest commit; null if there is none
 */
record ReportedRepository(Path folder, String branch, @Nullable String head) {

  private static final int MAX_BUSINESS_KEY = 200;
  private static final int KEY_LENGTH = 12;

  /**
   * Reads a repository.
   *
   * @throws io.millrace.examples.report.git.RepositoryException if there is no repository at {@code
   *     path}
   */
  static ReportedRepository at(Path path) {
    try (GitRepository git = GitRepository.open(path)) {
      return new ReportedRepository(git.folder(), git.branch(), git.head().orElse(null));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the business key that all runs on this repository share. */
  String businessKey() {
    String path = folder.toString();
    return path.length() <= MAX_BUSINESS_KEY ? path : key();
  }

  /** Returns a short name that no other repository has. */
  String key() {
    try {
      byte[] path = folder.toString().getBytes(StandardCharsets.UTF_8);
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(path);
      return HexFormat.of().formatHex(hash).substring(0, KEY_LENGTH);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** True if {@code commit} is part of the history. */
  boolean contains(String commit) {
    try (GitRepository git = GitRepository.open(folder)) {
      return head != null && git.reaches(head, commit);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
