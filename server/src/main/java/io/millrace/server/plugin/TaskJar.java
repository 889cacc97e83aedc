package io.millrace.server.plugin;

import io.millrace.sequence.TaskHandler;
import java.io.IOException;
import java.net.URL;
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
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A jar, or a folder of jars, as it was at one time. Its classes are read from a copy, so that
 * whoever writes a new jar over it, as a build does, disturbs nothing that runs. Thread-safe.
 */
final class TaskJar {

  private static final Logger LOG = LoggerFactory.getLogger(TaskJar.class);

  /** How a file was, when nothing else tells whether it is another one now. */
  private record Stamp(Path file, FileTime modified, long size, boolean readable) {}

  private final Path place;
  private final List<Stamp> stamps;
  private final @Nullable Path copies;
  private final @Nullable URLClassLoader classes;
  private final @Nullable PluginProblem problem;
  private final Set<String> told = ConcurrentHashMap.newKeySet();

  private TaskJar(
      Path place,
      List<Stamp> stamps,
      @Nullable Path copies,
      @Nullable URLClassLoader classes,
      @Nullable PluginProblem problem) {
    this.place = place;
    this.stamps = stamps;
    this.copies = copies;
    this.classes = classes;
    this.problem = problem;
  }

  /** What is there now; a jar that cannot be read has a problem and no classes. */
  static TaskJar open(Path place) {
    List<Stamp> stamps = List.of();
    Path copies = null;
    try {
      stamps = stamps(place);
      copies = Files.createTempDirectory("millrace-tasks");
      List<URL> urls = new ArrayList<>();
      for (Stamp stamp : stamps) {
        Path copy = copies.resolve(urls.size() + "-" + stamp.file.getFileName());
        Files.copy(stamp.file, copy);
        // A class loader would pass over a damaged file without a word.
        new JarFile(copy.toFile()).close();
        urls.add(copy.toUri().toURL());
      }
      URLClassLoader classes =
          new URLClassLoader(
              "tasks:" + place.getFileName(),
              urls.toArray(URL[]::new),
              TaskHandler.class.getClassLoader());
      return new TaskJar(place, stamps, copies, classes, null);
    } catch (IOException e) {
      delete(copies);
      return new TaskJar(place, stamps, null, null, unreadable(place, e));
    }
  }

  private static PluginProblem unreadable(Path place, IOException e) {
    return new PluginProblem(
        String.valueOf(place.getFileName()),
        "It cannot be read: " + e.getMessage() + ".",
        "Expected a jar; check its rights, or copy it again. It is read again when it has changed,"
            + " and from time to time.");
  }

  private static List<Stamp> stamps(Path place) throws IOException {
    List<Path> files = List.of(place);
    if (Files.isDirectory(place)) {
      try (Stream<Path> all = Files.list(place)) {
        files = all.filter(file -> file.toString().endsWith(".jar")).sorted().toList();
      }
    }
    List<Stamp> stamps = new ArrayList<>();
    for (Path file : files) {
      BasicFileAttributes now = Files.readAttributes(file, BasicFileAttributes.class);
      stamps.add(new Stamp(file, now.lastModifiedTime(), now.size(), Files.isReadable(file)));
    }
    return stamps;
  }

  /** True when the files are others than those that were opened. */
  boolean hasChanged() {
    try {
      return !stamps.equals(stamps(place));
    } catch (NoSuchFileException e) {
      return true;
    } catch (IOException e) {
      LOG.debug("{} cannot be looked at now", place, e);
      return false;
    }
  }

  /** Why it cannot be used; null when it can. */
  @Nullable PluginProblem problem() {
    return problem;
  }

  /** The class of this name in this very jar; null when it is not there, or cannot be used. */
  @Nullable Class<?> find(String className) {
    if (classes == null) {
      return null;
    }
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
    if (classes != null) {
      try {
        classes.close();
      } catch (IOException e) {
        LOG.debug("The class loader {} was not closed", classes.getName(), e);
      }
    }
    delete(copies);
  }

  private static void delete(@Nullable Path folder) {
    if (folder == null) {
      return;
    }
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
      Files.delete(folder);
    } catch (IOException e) {
      LOG.debug("{} was not deleted", folder, e);
    }
  }
}
