package io.millrace.server.plugin;

import io.millrace.lifecycle.EngineClock;
import io.millrace.sequence.ComponentSource;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The classes of tasks in the jars of a folder. The folder is checked at each search for a class,
 * so new and changed jars take effect at once. Running code keeps its classes. Thread-safe.
 */
public final class TaskJars implements ComponentSource, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(TaskJars.class);

  /** Time after which an unreadable jar is read again, even if it has not changed. */
  private static final Duration AGAIN = Duration.ofSeconds(10);

  /** The current state of a jar. */
  record CurrentJar(String name, @Nullable PluginProblem problem, boolean hasWorkflows) {}

  private final Path folder;
  private final JarCopies copies;
  private final List<PluginProblem> told;
  private final EngineClock clock;
  private final Map<Path, TaskJar> jars = new TreeMap<>();

  /** Times at which unreadable jars were opened, on the monotonic clock. */
  private final Map<Path, Long> failed = new HashMap<>();

  private @Nullable PluginProblem folderProblem;

  /** True after the first check of the folder; jars that appear later are reported as new. */
  private boolean looked;

  private boolean closed;

  /**
   * Creates a source of the jars of {@code folder}, which need not exist; a subfolder is one jar in
   * several files.
   *
   * @param copies closed after the classes
   * @param told problems that have already been logged
   */
  public TaskJars(Path folder, JarCopies copies, List<PluginProblem> told) {
    this(folder, copies, told, EngineClock.system());
  }

  TaskJars(Path folder, JarCopies copies, List<PluginProblem> told, EngineClock clock) {
    this.folder = folder;
    this.copies = copies;
    this.told = List.copyOf(told);
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

  /** Returns the problems of the jars that cannot be used. */
  public List<PluginProblem> problems() {
    return seen().stream().map(CurrentJar::problem).filter(Objects::nonNull).toList();
  }

  /** Returns all jars, and the folder itself if it cannot be read. */
  synchronized List<CurrentJar> seen() {
    List<CurrentJar> seen = new ArrayList<>();
    for (TaskJar jar : look()) {
      String name = String.valueOf(jar.place().getFileName());
      seen.add(new CurrentJar(name, jar.problem(), jar.hasWorkflows()));
    }
    if (folderProblem != null) {
      seen.add(new CurrentJar(folderProblem.name(), folderProblem, false));
    }
    return seen;
  }

  /**
   * Opens new and changed jars, and drops those that are gone or replaced. Dropped jars are not
   * closed, because executions may still use their classes.
   */
  private synchronized List<TaskJar> look() {
    if (closed) {
      return List.of();
    }
    List<Path> places = places();
    for (Path gone : jars.keySet().stream().filter(place -> !places.contains(place)).toList()) {
      jars.remove(gone);
      failed.remove(gone);
      LOG.info("The jar {} is gone; what runs keeps its classes", gone);
    }
    for (Path place : places) {
      TaskJar known = jars.get(place);
      if (known == null
          || known.hasChanged()
          || known.hasLostItsCopy()
          || isToBeTriedAgain(place)) {
        TaskJar opened = TaskJar.open(place, copies);
        jars.put(place, opened);
        tell(place, known, opened);
      }
    }
    looked = true;
    return List.copyOf(jars.values());
  }

  private void tell(Path place, @Nullable TaskJar known, TaskJar opened) {
    PluginProblem problem = opened.problem();
    if (problem == null) {
      failed.remove(place);
      String workflows = opened.hasWorkflows() ? ", its workflows from the next start" : "";
      if (known != null) {
        LOG.info(
            "The jar {} is read again; its tasks count from the next attempt{}", place, workflows);
      } else if (looked) {
        LOG.info("The jar {} was added; its tasks count at once{}", place, workflows);
      }
      return;
    }
    failed.put(place, clock.nanoTime());
    boolean isNews = known == null ? !isTold(problem) : !problem.equals(known.problem());
    if (isNews) {
      LOG.warn("The jar with tasks {}", problem);
    }
  }

  /**
   * True for a problem that was logged before the first check of the folder. The same problem may
   * occur again later.
   */
  private boolean isTold(PluginProblem problem) {
    return !looked
        && told.stream()
            .anyMatch(one ->
                one.name().equals(problem.name()) && one.problem().equals(problem.problem()));
  }

  private boolean isToBeTriedAgain(Path place) {
    Long since = failed.get(place);
    return since != null && clock.nanoTime() - since >= AGAIN.toNanos();
  }

  private List<Path> places() {
    try {
      List<Path> places = JarFiles.places(folder);
      folderProblem = null;
      return places;
    } catch (IOException e) {
      PluginProblem problem = PluginProblem.ofFolder(folder, e);
      if (folderProblem == null && !isTold(problem)) {
        LOG.warn("Of the folder of jars no news can be read: {}", problem);
      }
      folderProblem = problem;
      return List.copyOf(jars.keySet());
    }
  }

  /** Closes all jars; must be called when no task runs any more. */
  @Override
  public synchronized void close() {
    closed = true;
    jars.values().forEach(TaskJar::close);
    jars.clear();
  }
}
