package io.millrace.continuous;

import io.millrace.instance.InvalidRequestException;
import io.millrace.instance.TimeLimits;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * A trigger whose events are the new and changed files of a folder, each a {@link FileEvent}, in
 * order of their last change and then of their names. Immutable; the methods return changed copies.
 *
 * <p>A file counts when its size and time have not changed for the settle time. An accepted file
 * does not come again unless it changes. Accepted files that stay in the folder are items of {@link
 * TriggerContext#memory}. A missing folder is waited for. Links are not followed. A file whose name
 * the locale of the process cannot write as text is skipped and reported.
 *
 * @param glob pattern of file names, such as {@code *.csv}: of the name or, with a slash in it, of
 *     the path within the folder; null for all
 * @param settle zero or more; how long a file must stay unchanged
 * @param every 100 ms or more; the pause between two polls of the folder
 * @param batch the largest number of files of one event; with more than 1 the event is {@link
 *     FileBatchEvent}
 */
public record FolderTrigger(
    Path folder,
    @Nullable String glob,
    boolean subfolders,
    Duration settle,
    Duration every,
    FileAction after,
    int batch)
    implements Trigger {

  /** The action on a file after its event is accepted. */
  public sealed interface FileAction {
    /** Leaves the file. */
    record Leave() implements FileAction {}

    /**
     * Moves the file to another folder, under a new name if its own exists there.
     *
     * @param folder created if missing; not watched if it is within the watched one
     */
    record Move(Path folder) implements FileAction {}

    /** Deletes the file, so the execution cannot read it. */
    record Delete() implements FileAction {}
  }

  /**
   * The event of a file.
   *
   * @param path location of the file for the handler; with {@link FileAction.Move} its place in the
   *     other folder, where it may arrive a moment after the handler has started
   * @param name within the folder, with slashes
   * @param size in bytes
   */
  public record FileEvent(String path, String name, long size, Instant modified) {}

  /**
   * The event of a trigger with batches.
   *
   * @param files one or more
   */
  public record FileBatchEvent(List<FileEvent> files) {
    public FileBatchEvent {
      files = List.copyOf(files);
    }
  }

  private static final Duration MIN_INTERVAL = Duration.ofMillis(100);
  private static final int MAX_BATCH = 1_000;

  public FolderTrigger {
    settle = TimeLimits.clamp(settle);
    every = TimeLimits.clamp(every);
    folder = folder.toAbsolutePath().normalize();
    if (settle.isNegative() || every.compareTo(MIN_INTERVAL) < 0) {
      throw new InvalidRequestException(
          "The folder %s is looked at every %s and files settle within %s; expected %s or more, and no negative time."
              .formatted(folder, every, settle, MIN_INTERVAL));
    }
    if (batch < 1 || batch > MAX_BATCH) {
      throw new InvalidRequestException(
          "The files of %s come in batches of %s; expected 1 to %s."
              .formatted(folder, batch, MAX_BATCH));
    }
    if (after instanceof FileAction.Move move && within(folder, move.folder())) {
      throw new InvalidRequestException(
          "Files of " + folder + " are moved to the same folder; expected another one.");
    }
    if (glob != null) {
      try {
        FileSystems.getDefault().getPathMatcher("glob:" + glob);
      } catch (PatternSyntaxException e) {
        throw new InvalidRequestException(
            "The pattern '" + glob + "' of files is wrong: " + e.getDescription() + ".");
      }
    }
  }

  private static boolean within(Path folder, Path other) {
    return folder.equals(other.toAbsolutePath().normalize());
  }

  /**
   * Returns a trigger for the files directly in a folder, polled every 5 s, settled for 2 s, and
   * left in place.
   */
  static FolderTrigger of(Path folder) {
    return new FolderTrigger(
        folder,
        null,
        false,
        Duration.ofSeconds(2),
        Duration.ofSeconds(5),
        new FileAction.Leave(),
        1);
  }

  public FolderTrigger glob(String pattern) {
    return new FolderTrigger(folder, pattern, subfolders, settle, every, after, batch);
  }

  /** Includes the files of all subfolders. */
  public FolderTrigger withSubfolders() {
    return new FolderTrigger(folder, glob, true, settle, every, after, batch);
  }

  public FolderTrigger settle(Duration time) {
    return new FolderTrigger(folder, glob, subfolders, time, every, after, batch);
  }

  public FolderTrigger every(Duration pause) {
    return new FolderTrigger(folder, glob, subfolders, settle, pause, after, batch);
  }

  public FolderTrigger thenMoveTo(Path other) {
    return new FolderTrigger(
        folder, glob, subfolders, settle, every, new FileAction.Move(other), batch);
  }

  public FolderTrigger thenDelete() {
    return new FolderTrigger(
        folder, glob, subfolders, settle, every, new FileAction.Delete(), batch);
  }

  /**
   * Sets the maximum number of files of an event, which is then a {@link FileBatchEvent}; for
   * folders with more files than executions can run one after another.
   *
   * @param most 1 to 1,000
   */
  public FolderTrigger batches(int most) {
    return new FolderTrigger(folder, glob, subfolders, settle, every, after, most);
  }

  @Override
  public String describe() {
    return "new and changed files "
        + (glob == null ? "" : glob + " ")
        + "in "
        + folder
        + (subfolders ? " and its folders" : "");
  }

  @Override
  public Source open(TriggerContext scope) {
    return new FolderSource(this, scope);
  }
}
