package io.millrace.server.plugin;

import io.millrace.lifecycle.EngineClock;
import io.millrace.sequence.ComponentSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The classes of tasks in the jars of a folder, which is looked at again whenever a class is asked
 * for: what was added or changed counts at once. What runs keeps the classes it began with.
 * Thread-safe.
 */
public final class TaskJars implements ComponentSource, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(TaskJars.class);

  /** When a jar is read again that could not be read, though it has not changed. */
  private static final Duration AGAIN = Duration.ofSeconds(10);

  private final Path folder;
  private final EngineClock clock;
  private final Map<Path, TaskJar> jars = new TreeMap<>();

  /** When those that cannot be read were opened, on the clock of waiting. */
  private final Map<Path, Long> failed = new HashMap<>();

  /** Classes of jars that have changed or gone; executions may still be in them. */
  private final List<TaskJar> retired = new ArrayList<>();

  /**
   * The jars of {@code folder}, which need not exist; a folder in it is one jar in several files.
   */
  public TaskJars(Path folder) {
    this(folder, EngineClock.system());
  }

  TaskJars(Path folder, EngineClock clock) {
    this.folder = folder;
    this.clock = clock;
  }

  @Override
  public @Nullable Class<?> find(String className) {
    for (TaskJar jar : look()) {
      Class<?> found = jar.find(className);
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  /** The jars that cannot be used as they are now. */
  public List<PluginProblem> problems() {
    return look().stream().map(TaskJar::problem).filter(Objects::nonNull).toList();
  }

  /** Opens what is new or changed, and lets go of what is gone. */
  private synchronized List<TaskJar> look() {
    List<Path> places = places();
    for (Path gone : jars.keySet().stream().filter(place -> !places.contains(place)).toList()) {
      retire(jars.remove(gone));
      failed.remove(gone);
    }
    for (Path place : places) {
      TaskJar known = jars.get(place);
      if (known == null || known.hasChanged() || isToBeTriedAgain(place)) {
        retire(known);
        TaskJar opened = TaskJar.open(place);
        jars.put(place, opened);
        tell(place, known, opened.problem());
      }
    }
    return List.copyOf(jars.values());
  }

  private void tell(Path place, @Nullable TaskJar known, @Nullable PluginProblem problem) {
    if (problem == null) {
      failed.remove(place);
      if (known != null) {
        LOG.info("The jar {} has changed; its tasks run anew from the next attempt", place);
      }
      return;
    }
    failed.put(place, clock.nanoTime());
    if (known == null || !problem.equals(known.problem())) {
      LOG.warn("The jar with tasks {}", problem);
    }
  }

  private boolean isToBeTriedAgain(Path place) {
    Long since = failed.get(place);
    return since != null && clock.nanoTime() - since >= AGAIN.toNanos();
  }

  private void retire(@Nullable TaskJar jar) {
    if (jar != null && jar.problem() == null) {
      retired.add(jar);
    }
  }

  private List<Path> places() {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> file.toString().endsWith(".jar") || Files.isDirectory(file))
          .sorted()
          .toList();
    } catch (IOException e) {
      LOG.warn("The folder of jars {} cannot be read: {}. Check its rights.", folder, e.toString());
      return List.copyOf(jars.keySet());
    }
  }

  /** To be called when nothing runs any more. */
  @Override
  public synchronized void close() {
    retired.addAll(jars.values());
    jars.clear();
    retired.forEach(TaskJar::close);
    retired.clear();
  }
}
