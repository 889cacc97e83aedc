package io.millrace.report.source;

import io.millrace.schedule.DataWindow;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The most recently read commits, within limits of memory: a number of windows, and a number of
 * files and commits in all of them. Not thread-safe.
 */
final class RecentCommits {

  /** The part of a history that was read; it ends at {@code head}. */
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
    // An entry that is too large by itself would evict all others in vain.
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
