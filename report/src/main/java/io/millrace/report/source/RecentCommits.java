package io.millrace.report.source;

import io.millrace.schedule.DataWindow;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The commits that were read last, as far as memory should hold them: so many windows, and so many
 * files and commits in all of them. Not thread-safe.
 */
final class RecentCommits {

  /** What was read: the part of a history that ends at {@code head}. */
  record CommitRange(Path repository, String head, DataWindow window) {}

  private record Kept(List<GitCommit> commits, long size) {}

  private final Map<CommitRange, Kept> kept = new LinkedHashMap<>();
  private final int mostWindows;
  private final long mostFiles;
  private long files;

  RecentCommits(int mostWindows, long mostFiles) {
    this.mostWindows = mostWindows;
    this.mostFiles = mostFiles;
  }

  @Nullable List<GitCommit> find(CommitRange commitRange) {
    Kept found = kept.get(commitRange);
    return found == null ? null : found.commits();
  }

  void put(CommitRange commitRange, List<GitCommit> commits) {
    long size = commits.stream().mapToLong(commit -> 1L + commit.files().size()).sum();
    // One that is too large alone would push out all others in vain.
    if (size > mostFiles) {
      return;
    }
    kept.put(commitRange, new Kept(commits, size));
    files += size;
    Iterator<Kept> oldest = kept.values().iterator();
    while (kept.size() > mostWindows || files > mostFiles) {
      files -= oldest.next().size();
      oldest.remove();
    }
  }
}
