package io.millrace.server.plugin;

import java.io.IOException;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A jar with classes of tasks, or a folder of jars, at one time. Thread-safe. */
final class TaskJar {

  private static final Logger LOG = LoggerFactory.getLogger(TaskJar.class);

  /** The attributes of a file by which a change is noticed. */
  private record FileStamp(Path file, FileTime modified, long size, boolean readable) {}

  /**
   * @param place stamps of its own files
   * @param named stamps of the files that their class paths name
   */
  private record FileStamps(List<FileStamp> place, List<FileStamp> named) {}

  private final Path place;
  private final FileStamps fileStamps;
  private final @Nullable JarCopy copy;
  private final @Nullable PluginProblem problem;
  private final Set<String> told = ConcurrentHashMap.newKeySet();

  private TaskJar(
      Path place, FileStamps fileStamps, @Nullable JarCopy copy, @Nullable PluginProblem problem) {
    this.place = place;
    this.fileStamps = fileStamps;
    this.copy = copy;
    this.problem = problem;
  }

  /** Opens the current files; a jar that cannot be read has a problem and no classes. */
  static TaskJar open(Path place, JarCopies copies) {
    FileStamps fileStamps = new FileStamps(List.of(), List.of());
    try {
      // Taken before the files are read, so that a concurrent write counts as a change.
      fileStamps = new FileStamps(stamps(JarFiles.of(place)), List.of());
      List<Path> files = JarFiles.withClassPaths(JarFiles.of(place));
      fileStamps = new FileStamps(fileStamps.place, stamps(files));
      return new TaskJar(place, fileStamps, copies.copy("tasks", place, files), null);
    } catch (IOException e) {
      return new TaskJar(place, fileStamps, null, problem(place, JarCopies.unreadable(e)));
    } catch (InvalidPluginException e) {
      return new TaskJar(place, fileStamps, null, problem(place, e));
    }
  }

  private static PluginProblem problem(Path place, InvalidPluginException e) {
    PluginProblem problem = e.of(String.valueOf(place.getFileName()));
    return new PluginProblem(
        problem.name(),
        problem.problem(),
        problem.advice() + " It is read again when it has changed, and from time to time.");
  }

  private static List<FileStamp> stamps(List<Path> files) throws IOException {
    List<FileStamp> stamps = new ArrayList<>();
    for (Path file : files) {
      BasicFileAttributes now = Files.readAttributes(file, BasicFileAttributes.class);
      stamps.add(new FileStamp(file, now.lastModifiedTime(), now.size(), Files.isReadable(file)));
    }
    return stamps;
  }

  /** True if the files differ from those that were opened. */
  boolean hasChanged() {
    try {
      return !fileStamps.place.equals(stamps(JarFiles.of(place)))
          || !fileStamps.named.equals(
              stamps(fileStamps.named.stream().map(FileStamp::file).toList()));
    } catch (NoSuchFileException e) {
      return true;
    } catch (IOException e) {
      LOG.debug("{} cannot be looked at now", place, e);
      return false;
    }
  }

  /** True if another process has deleted the files from which the classes are read. */
  boolean hasLostItsCopy() {
    return copy != null && !copy.isWhole();
  }

  /** True if the jar names providers of workflows. */
  boolean hasWorkflows() {
    return copy != null && PluginLoader.namesProviders(copy.classes());
  }

  Path place() {
    return place;
  }

  /** Returns the reason why the jar cannot be used; null if it can. */
  @Nullable PluginProblem problem() {
    return problem;
  }

  /** Returns the class of this name in this jar; null if it is missing or cannot be used. */
  @Nullable Class<?> find(String className) {
    if (copy == null) {
      return null;
    }
    URLClassLoader classes = copy.classes();
    try {
      Class<?> found = Class.forName(className, false, classes);
      return classes.equals(found.getClassLoader()) ? found : null;
    } catch (ClassNotFoundException e) {
      return null;
    } catch (LinkageError e) {
      if (told.add(className)) {
        LOG.warn(
            "The class {} of the jar {} cannot be used: {}. Build it for this Java and this version"
                + " of Millrace, and put the jars that it needs beside it into one folder of {}.",
            className,
            place.getFileName(),
            e.toString(),
            place.toAbsolutePath().getParent());
      }
      return null;
    }
  }

  void close() {
    if (copy != null) {
      copy.close();
    }
  }
}
