package io.millrace.examples.report.git;

import java.io.IOException;
import org.eclipse.jgit.diff.Edit;
import org.eclipse.jgit.diff.HistogramDiff;
import org.eclipse.jgit.diff.RawText;
import org.eclipse.jgit.diff.RawTextComparator;
import org.eclipse.jgit.errors.LargeObjectException;
import org.eclipse.jgit.errors.MissingObjectException;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectLoader;
import org.eclipse.jgit.lib.ObjectReader;
import org.jspecify.annotations.Nullable;

/** A counter of the changed lines in one commit's files, at a limited cost. */
final class LineCounter {

  /** Size of the largest file that is counted; larger files are rarely written by hand. */
  private static final int LARGEST_FILE = 1 << 20;

  /** Limit of bytes read from one commit; the count of an import of a whole library stops here. */
  private static final long LARGEST_COMMIT = 64L << 20;

  private static final byte[] EMPTY = {};

  private final ObjectReader reader;
  private final HistogramDiff diff = new HistogramDiff();
  private long bytes;
  private int uncounted;

  LineCounter(ObjectReader reader) {
    this.reader = reader;
    // Without the fallback, long repetitive files count as replaced; with it, they may take
    // minutes.
    diff.setFallbackAlgorithm(null);
  }

  /** Returns the number of files that were too large, or that a partial clone lacks. */
  int uncounted() {
    return uncounted;
  }

  /** Counts the changed lines between two versions of a file; null means no file. */
  LineCounts count(@Nullable ObjectId before, @Nullable ObjectId after) throws IOException {
    if (before == null ? after == null : before.equals(after)) {
      return LineCounts.NONE;
    }
    byte[] old = load(before);
    byte[] now = load(after);
    if (old == null || now == null) {
      uncounted++;
      return LineCounts.NONE;
    }
    if (RawText.isBinary(old, old.length, true) || RawText.isBinary(now, now.length, true)) {
      return LineCounts.NONE;
    }
    return compare(new RawText(old), new RawText(now));
  }

  private LineCounts compare(RawText old, RawText now) {
    if (old.size() == 0 || now.size() == 0) {
      return new LineCounts(now.size(), old.size());
    }
    LineCounts lineCounts = LineCounts.NONE;
    for (Edit edit : diff.diff(RawTextComparator.DEFAULT, old, now)) {
      lineCounts = lineCounts.plus(new LineCounts(edit.getLengthB(), edit.getLengthA()));
    }
    return lineCounts;
  }

  private byte @Nullable [] load(@Nullable ObjectId blob) throws IOException {
    if (blob == null) {
      return EMPTY;
    }
    try {
      ObjectLoader loader = reader.open(blob, Constants.OBJ_BLOB);
      if (loader.getSize() > LARGEST_FILE || bytes + loader.getSize() > LARGEST_COMMIT) {
        return null;
      }
      bytes += loader.getSize();
      return loader.getCachedBytes(LARGEST_FILE);
    } catch (MissingObjectException | LargeObjectException e) {
      return null;
    }
  }
}
