package io.millrace.continuous;

import java.io.IOException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A source that polls the folder and returns its new files one by one. */
final class FolderSource implements Trigger.Source {

  private static final Logger LOG = LoggerFactory.getLogger(FolderTrigger.class);

  /** Characters of the paths in one event, far below the limit of an input. */
  private static final int MAX_TEXT = 200_000;

  private static final Comparator<FolderFile> ORDER =
      Comparator.comparing(FolderFile::modified).thenComparing(FolderFile::name);

  private final FolderTrigger trigger;
  private final TriggerContext scope;
  private final AcceptedFiles memory;
  private final @Nullable PathMatcher matcher;
  private final @Nullable Path target;

  /** Kept from poll to poll, so that a mark is computed once for each file. */
  private Map<FolderFile, Seen> seen = new HashMap<>();

  /**
   * The last observation of a file.
   *
   * @param since when it was first seen in this form
   */
  private record Seen(long since, String mark) {}

  /**
   * A file whose event is being written to the database.
   *
   * @param place location of the file after its acceptance
   */
  private record Accepting(FolderFile file, String mark, Path place) {
    FolderTrigger.FileEvent event() {
      return new FolderTrigger.FileEvent(
          place.toString(), file.name(), file.size(), file.modified());
    }
  }

  private final PriorityQueue<FolderFile> waiting = new PriorityQueue<>(ORDER);

  /** The files of the latest event, which wait again unless it is accepted. */
  private final List<FolderFile> reading = new ArrayList<>();

  private long nextLook;
  private final UnreadableFileNames names;

  /** False if part of the folder was unreadable, so that files may seem deleted. */
  private boolean isComplete;

  private boolean missing;
  private boolean complained;

  FolderSource(FolderTrigger trigger, TriggerContext scope) {
    this.trigger = trigger;
    this.scope = scope;
    String position = scope.position().orElse("");
    this.memory = AcceptedFiles.of(position, scope.memory());
    if (!position.isEmpty() && !AcceptedFiles.isFrom(position)) {
      LOG.warn(
          "The position of '{}' is not that of a folder, whose files are all new therefore; was"
              + " its trigger changed?",
          scope.name());
    }
    this.matcher =
        trigger.glob() == null
            ? null
            : trigger.folder().getFileSystem().getPathMatcher("glob:" + trigger.glob());
    this.target =
        trigger.after() instanceof FolderTrigger.FileAction.Move move
            ? move.folder().toAbsolutePath().normalize()
            : null;
    this.names = new UnreadableFileNames(scope.name(), trigger.folder());
    this.nextLook = scope.clock().nanoTime();
  }

  @Override
  public PollResult poll() throws IOException {
    PollResult.Event event = event();
    long now = scope.clock().nanoTime();
    if (event == null && now >= nextLook) {
      nextLook = now + look(now).toNanos();
      event = event();
    }
    return event == null
        ? PollResult.waitFor(Duration.ofNanos(Math.max(0, nextLook - now)))
        : event;
  }

  private PollResult.@Nullable Event event() throws IOException {
    waiting.addAll(reading);
    reading.clear();
    List<Accepting> files = new ArrayList<>();
    long length = 0;
    while (files.size() < trigger.batch() && length < MAX_TEXT && !waiting.isEmpty()) {
      FolderFile file = waiting.remove();
      String mark = file.mark();
      if (file.equals(now(file.name())) && !memory.knows(file, mark)) {
        Path place = place(file, mark);
        files.add(new Accepting(file, mark, place));
        reading.add(file);
        length += place.toString().length();
      }
    }
    return files.isEmpty() ? null : event(files);
  }

  private PollResult.Event event(List<Accepting> files) {
    AcceptedFiles.Change change = memory.accepting(files.stream().map(Accepting::mark).toList());
    List<FolderTrigger.FileEvent> events = files.stream().map(Accepting::event).toList();
    return new PollResult.Event(
        trigger.batch() == 1 ? events.getFirst() : new FolderTrigger.FileBatchEvent(events),
        FolderFile.id(files.stream().map(Accepting::file).toList()),
        change.position(),
        null,
        new PollResult.MemoryChange(change.added(), change.removed()),
        () -> {
          memory.accepted(change);
          reading.clear();
          files.forEach(one -> finish(one.file, one.mark, one.place));
        });
  }

  /** Returns the place of the file after its acceptance. */
  private Path place(FolderFile file, String mark) {
    if (target == null) {
      return trigger.folder().resolve(file.name());
    }
    Path place = target.resolve(file.name());
    return Files.exists(place, LinkOption.NOFOLLOW_LINKS)
        ? place.resolveSibling(place.getFileName() + "." + FolderFile.shortened(mark))
        : place;
  }

  /** Applies the action to an accepted file; the next poll retries a failure. */
  private void finish(FolderFile file, String mark, Path place) {
    try {
      Path path = trigger.folder().resolve(file.name());
      switch (trigger.after()) {
        case FolderTrigger.FileAction.Leave leave -> {
          return;
        }
        case FolderTrigger.FileAction.Delete delete -> {
          if (file.equals(now(file.name()))) {
            Files.deleteIfExists(path);
          }
        }
        case FolderTrigger.FileAction.Move move -> {
          if (file.equals(now(file.name()))) {
            Files.createDirectories(place.getParent());
            Files.move(path, place);
          }
        }
      }
      memory.forget(mark);
    } catch (IOException e) {
      if (!complained) {
        LOG.warn(
            "An accepted file of '{}' stays where it is, it is tried again: {}",
            scope.name(),
            e.toString());
      }
      complained = true;
    }
  }

  /** Examines all files. Returns the time until the next poll. */
  private Duration look(long now) throws IOException {
    List<FolderFile> files = files();
    Map<FolderFile, Seen> before = seen;
    seen = new HashMap<>();
    waiting.clear();
    reading.clear();
    long pause = trigger.every().toNanos();
    for (FolderFile file : files) {
      Seen known = before.get(file);
      seen.put(file, known == null ? new Seen(now, file.mark()) : known);
    }
    if (isComplete && !files.isEmpty()) { // a folder that is not mounted is empty too
      memory.reconcile(seen.keySet(), seen.values().stream().map(Seen::mark).toList());
    }
    for (Map.Entry<FolderFile, Seen> entry : seen.entrySet()) {
      FolderFile file = entry.getKey();
      Seen one = entry.getValue();
      String mark = one.mark();
      if (!memory.knows(file, mark)) {
        long left = trigger.settle().toNanos() - (now - one.since());
        if (left <= 0) {
          waiting.add(file);
        } else {
          pause = Math.min(pause, left);
        }
      } else if (memory.has(mark)) {
        finish(file, mark, place(file, mark));
      }
    }
    return Duration.ofNanos(pause);
  }

  private List<FolderFile> files() throws IOException {
    List<FolderFile> files = new ArrayList<>();
    isComplete = true;
    try {
      Files.walkFileTree(
          trigger.folder(),
          EnumSet.noneOf(FileVisitOption.class),
          trigger.subfolders() ? Integer.MAX_VALUE : 1,
          new Visitor(files));
      missing = false;
      names.report(scope.clock().nanoTime());
    } catch (NoSuchFileException e) {
      if (!missing) {
        LOG.info(
            "The folder of '{}' is not there; it is waited for: {}",
            scope.name(),
            trigger.folder());
      }
      missing = true;
    }
    return files;
  }

  private final class Visitor extends SimpleFileVisitor<Path> {
    private final List<FolderFile> files;

    Visitor(List<FolderFile> files) {
      this.files = files;
    }

    @Override
    public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
      return folder.equals(target) ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFile(Path path, BasicFileAttributes attributes) {
      Path name = trigger.folder().relativize(path);
      if (attributes.isRegularFile() && fits(name)) {
        String text = name.toString();
        if (names.isReadable(path, text)) {
          files.add(
              file(text.replace(trigger.folder().getFileSystem().getSeparator(), "/"), attributes));
        }
      }
      return FileVisitResult.CONTINUE;
    }

    /** Skips a file that vanished or is unreadable. */
    @Override
    public FileVisitResult visitFileFailed(Path path, IOException failure) throws IOException {
      if (path.equals(trigger.folder())) {
        throw failure;
      }
      LOG.debug("A file of '{}' is passed over", scope.name(), failure);
      isComplete &= failure instanceof NoSuchFileException;
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException failure) {
      isComplete &= failure == null;
      return FileVisitResult.CONTINUE;
    }
  }

  private boolean fits(Path name) {
    if (matcher == null) {
      return true;
    }
    boolean whole = trigger.glob() != null && trigger.glob().contains("/");
    return matcher.matches(whole ? name : name.getFileName());
  }

  /** Returns the file as it is now; null if there is none. */
  private @Nullable FolderFile now(String name) throws IOException {
    try {
      BasicFileAttributes attributes =
          Files.readAttributes(
              trigger.folder().resolve(name), BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      return attributes.isRegularFile() ? file(name, attributes) : null;
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  private static FolderFile file(String name, BasicFileAttributes attributes) {
    return new FolderFile(name, attributes.size(), attributes.lastModifiedTime().toInstant());
  }
}
