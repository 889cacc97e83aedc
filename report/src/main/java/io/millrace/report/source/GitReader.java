package io.millrace.report.source;

import io.millrace.report.source.GitCommit.Lines;
import io.millrace.schedule.DataWindow;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.eclipse.jgit.diff.Edit;
import org.eclipse.jgit.diff.HistogramDiff;
import org.eclipse.jgit.diff.RawText;
import org.eclipse.jgit.diff.RawTextComparator;
import org.eclipse.jgit.errors.LargeObjectException;
import org.eclipse.jgit.errors.MissingObjectException;
import org.eclipse.jgit.lib.AnyObjectId;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectLoader;
import org.eclipse.jgit.lib.ObjectReader;
import org.eclipse.jgit.lib.PersonIdent;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.revwalk.RevCommit;
import org.eclipse.jgit.revwalk.RevWalk;
import org.eclipse.jgit.treewalk.EmptyTreeIterator;
import org.eclipse.jgit.treewalk.TreeWalk;
import org.eclipse.jgit.treewalk.filter.TreeFilter;
import org.jspecify.annotations.Nullable;

/** Reader of the commits of a window. */
final class GitReader {

  private static final int LARGEST_FILE = 8 * 1024 * 1024;
  private static final byte[] EMPTY = {};

  private final Repository git;
  private final QueryTimeLimit limit;
  private final HistogramDiff diff = new HistogramDiff();

  GitReader(Repository git, QueryTimeLimit limit) {
    this.git = git;
    this.limit = limit;
    // With the fallback algorithm, long repetitive files may take minutes; without it, they count
    // as replaced.
    diff.setFallbackAlgorithm(null);
  }

  /**
   * Returns the commits that {@code head} reaches and that were committed in the window, without
   * merges.
   *
   * @throws SourceException when it takes too long, or the thread was interrupted
   */
  List<GitCommit> commits(AnyObjectId head, DataWindow window) throws IOException {
    try (ObjectReader reader = git.newObjectReader();
        RevWalk walk = new RevWalk(reader)) {
      walk.markStart(walk.parseCommit(head));
      return commits(walk, reader, window);
    } catch (InterruptedIOException | ClosedByInterruptException e) {
      throw limit.interrupted(e);
    }
  }

  private List<GitCommit> commits(RevWalk walk, ObjectReader reader, DataWindow window)
      throws IOException {
    List<GitCommit> found = new ArrayList<>();
    var cut = git.getObjectDatabase().getShallowCommits();
    for (RevCommit commit : walk) {
      limit.check();
      Instant time = Instant.ofEpochSecond(commit.getCommitTime());
      boolean inside = !time.isBefore(window.from()) && time.isBefore(window.to());
      if (inside && commit.getParentCount() < 2) {
        // The history before the boundary of a shallow clone is not known, so neither is the
        // commit's change.
        Map<String, Lines> files = cut.contains(commit) ? Map.of() : files(commit, walk, reader);
        found.add(
            new GitCommit(commit.name(), author(commit), time, commit.getShortMessage(), files));
      }
      commit.disposeBody();
    }
    return List.copyOf(found);
  }

  private static String author(RevCommit commit) {
    PersonIdent author = commit.getAuthorIdent();
    if (author == null) {
      return "unknown";
    }
    return author.getName().isBlank() ? author.getEmailAddress() : author.getName();
  }

  private Map<String, Lines> files(RevCommit commit, RevWalk walk, ObjectReader reader)
      throws IOException {
    Map<String, Lines> files = new TreeMap<>();
    try (TreeWalk tree = new TreeWalk(reader)) {
      tree.setRecursive(true);
      tree.setFilter(TreeFilter.ANY_DIFF);
      if (commit.getParentCount() == 0) {
        tree.addTree(new EmptyTreeIterator());
      } else {
        RevCommit parent = commit.getParent(0);
        walk.parseHeaders(parent);
        tree.addTree(parent.getTree());
      }
      tree.addTree(commit.getTree());
      while (tree.next()) {
        limit.check();
        files.put(tree.getPathString(), lines(reader, blob(tree, 0), blob(tree, 1)));
      }
    }
    return files;
  }

  private static @Nullable ObjectId blob(TreeWalk tree, int side) {
    boolean file = (tree.getRawMode(side) & FileMode.TYPE_MASK) == FileMode.TYPE_FILE;
    return file ? tree.getObjectId(side) : null;
  }

  private Lines lines(ObjectReader reader, @Nullable ObjectId before, @Nullable ObjectId after)
      throws IOException {
    byte[] old = load(reader, before);
    byte[] now = load(reader, after);
    if (old == null
        || now == null
        || RawText.isBinary(old, old.length, true)
        || RawText.isBinary(now, now.length, true)) {
      return Lines.NONE;
    }
    RawText left = new RawText(old);
    RawText right = new RawText(now);
    if (left.size() == 0 || right.size() == 0) {
      return new Lines(right.size(), left.size());
    }
    Lines lines = Lines.NONE;
    for (Edit edit : diff.diff(RawTextComparator.DEFAULT, left, right)) {
      lines = lines.plus(new Lines(edit.getLengthB(), edit.getLengthA()));
    }
    return lines;
  }

  private static byte @Nullable [] load(ObjectReader reader, @Nullable ObjectId blob)
      throws IOException {
    if (blob == null) {
      return EMPTY;
    }
    try {
      ObjectLoader loader = reader.open(blob, Constants.OBJ_BLOB);
      return loader.getSize() > LARGEST_FILE ? null : loader.getCachedBytes(LARGEST_FILE);
    } catch (MissingObjectException | LargeObjectException e) {
      return null;
    }
  }
}
