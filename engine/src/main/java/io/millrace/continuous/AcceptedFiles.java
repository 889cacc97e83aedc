package io.millrace.continuous;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The accepted files of a folder. Each is an item of the trigger's memory, so that the cost of an
 * event does not grow with their number.
 *
 * <p>Earlier versions kept all marks in the position, and of the files beyond 12,000 only the time
 * up to which all were accepted. Such a position stays until everything in it has become an item.
 */
final class AcceptedFiles {

  /** Number of deleted files that stay remembered, in case they return. */
  static final int MAX_MARKS = 1_000;

  /** Maximum number of items that one event adds or removes. */
  static final int MAX_CHANGES = 5_000;

  private static final String KIND = "files:";

  /** All accepted files by their marks, some by their short marks. */
  private final Set<String> marks;

  /** Marks of an earlier form of position that are not items yet. */
  private final Set<String> unwritten = new LinkedHashSet<>();

  /** Items that are no longer needed. */
  private final Set<String> forgotten = new LinkedHashSet<>();

  /** Time up to which all files were accepted, in an earlier form of position. */
  private Instant allUntil = Instant.EPOCH;

  /**
   * The changes that an event makes.
   *
   * @param position null while the earlier form is still needed
   */
  record Change(List<String> added, List<String> removed, @Nullable String position) {}

  private AcceptedFiles(Collection<String> items) {
    this.marks = new HashSet<>(items);
  }

  /**
   * Reads a position of either form. Returns an empty set for the position of another trigger, see
   * {@link #isFrom}.
   */
  static AcceptedFiles of(String position, Collection<String> items) {
    AcceptedFiles memory = new AcceptedFiles(items);
    int colon = position.indexOf(':', KIND.length());
    if (isFrom(position) && colon > 0) {
      memory.allUntil = Instant.ofEpochMilli(Long.parseLong(position, KIND.length(), colon, 10));
      int length = FolderFile.SHORT_MARK;
      for (int at = colon + 1; at + length <= position.length(); at += length) {
        String mark = position.substring(at, at + length);
        if (memory.marks.add(mark)) {
          memory.unwritten.add(mark);
        }
      }
    }
    return memory;
  }

  static boolean isFrom(String position) {
    return position.matches("(?s)files:\\d{1,18}:.*");
  }

  boolean knows(FolderFile file, String mark) {
    return has(mark) || (!allUntil.equals(Instant.EPOCH) && !file.modified().isAfter(allUntil));
  }

  /** Returns true if the file itself is remembered, and not only its time. */
  boolean has(String mark) {
    return marks.contains(mark) || marks.contains(FolderFile.shortened(mark));
  }

  /** Returns the changes that an event of the files with these marks writes. */
  Change accepting(List<String> accepted) {
    List<String> added = new ArrayList<>(accepted);
    unwritten.stream().limit(MAX_CHANGES - accepted.size()).forEach(added::add);
    List<String> removed =
        forgotten.stream().filter(one -> !accepted.contains(one)).limit(MAX_CHANGES).toList();
    boolean isAll = added.size() - accepted.size() == unwritten.size();
    return new Change(
        List.copyOf(added), removed, isAll ? KIND + allUntil.toEpochMilli() + ":" : null);
  }

  /** Applies the change after its event was accepted. */
  void accepted(Change change) {
    marks.addAll(change.added);
    change.added.forEach(unwritten::remove);
    change.added.forEach(forgotten::remove);
    change.removed.forEach(forgotten::remove);
  }

  void forget(String mark) {
    for (String one : List.of(mark, FolderFile.shortened(mark))) {
      if (marks.remove(one)) {
        unwritten.remove(one);
        forgotten.add(one);
      }
    }
  }

  /**
   * Adds the marks of those files of the folder that are known by their time only, and forgets
   * deleted files if there are many.
   */
  void reconcile(Set<FolderFile> files, Collection<String> present) {
    for (FolderFile file : files) {
      if (!allUntil.equals(Instant.EPOCH) && !file.modified().isAfter(allUntil)) {
        String mark = file.mark();
        if (!has(mark)) {
          marks.add(mark);
          unwritten.add(mark);
        }
      }
    }
    allUntil = Instant.EPOCH;
    if (marks.size() > MAX_MARKS) {
      Set<String> kept = new HashSet<>(present);
      present.forEach(mark -> kept.add(FolderFile.shortened(mark)));
      marks.stream().filter(mark -> !kept.contains(mark)).toList().forEach(this::forget);
    }
  }
}
