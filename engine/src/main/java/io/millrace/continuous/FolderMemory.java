package io.millrace.continuous;

import java.time.Instant;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * Which files were accepted: the marks of the last ones, and for those forgotten the time up to
 * which all were.
 */
final class FolderMemory {

  static final int MARK = 8;
  static final int MOST = 12_000;

  /** With no more than so many it is not looked for those that are gone. */
  static final int FEW = 1_000;

  private static final String KIND = "files:";

  private final Set<String> marks = new LinkedHashSet<>();

  /** Times of files that are there; unknown for those accepted before the source was opened. */
  private final Map<String, Instant> times = new HashMap<>();

  /** Of all marks, so that not each event makes it anew; empty when it is to be made. */
  private final StringBuilder joined = new StringBuilder();

  private Instant allUntil = Instant.EPOCH;

  /** Empty for what another trigger has left; {@link #isFrom} tells. */
  static FolderMemory of(String position) {
    FolderMemory memory = new FolderMemory();
    int colon = position.indexOf(':', KIND.length());
    if (isFrom(position) && colon > 0) {
      memory.allUntil = Instant.ofEpochMilli(Long.parseLong(position, KIND.length(), colon, 10));
      for (int at = colon + 1; at + MARK <= position.length(); at += MARK) {
        memory.marks.add(position.substring(at, at + MARK));
      }
    }
    return memory;
  }

  static boolean isFrom(String position) {
    return position.matches("(?s)files:\\d{1,18}:.*");
  }

  /** True for one that is remembered by itself. */
  boolean has(String mark) {
    return marks.contains(mark);
  }

  boolean knows(FolderFile file, String mark) {
    return marks.contains(mark)
        || (!allUntil.equals(Instant.EPOCH) && !file.modified().isAfter(allUntil));
  }

  void see(String mark, Instant modified) {
    times.put(mark, modified);
  }

  void add(String mark, Instant modified) {
    times.put(mark, modified);
    if (marks.add(mark) && !joined.isEmpty()) {
      joined.append(mark);
    }
    if (marks.size() > MOST) {
      joined.setLength(0);
      Iterator<String> oldest = marks.iterator();
      Instant time = times.get(oldest.next());
      oldest.remove();
      if (time != null && time.isAfter(allUntil)) {
        allUntil = time;
      }
    }
  }

  void forget(String mark) {
    marks.remove(mark);
    times.remove(mark);
    joined.setLength(0);
  }

  /** Forgets those that are gone, when there are many. */
  void keep(Set<String> present) {
    times.keySet().retainAll(present);
    if (marks.size() > FEW) {
      marks.retainAll(present);
      joined.setLength(0);
    }
  }

  /** What {@link #of} makes the same of, as if {@code mark} had been added; under 100,000 long. */
  String with(String mark) {
    if (joined.isEmpty()) {
      marks.forEach(joined::append);
    }
    String behind = marks.contains(mark) ? "" : mark;
    return KIND + allUntil.toEpochMilli() + ":" + joined + behind;
  }
}
