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
 * The classes of tasks in the jars of a folder, which is looked at again whenever a class is asked
 * for: what was added or changed counts at once. What runs keeps the classes it began with.
 * Thread-safe.
 */
public final class TaskJars implements ComponentSource, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(TaskJars.class);

  /** When a jar is read again that could not be read, though it has not changed. */
  private static final Duration AGAIN = Duration.ofSeconds(10);

  /** A jar as it is now. */
  record CurrentJar(String name, @Nullable PluginProblem problem, boolean hasWorkflows) {}

  private final Path folder;
  private final JarCopies copies;
  private final List<PluginProblem> told;
  private final EngineClock clock;
  private final Map<Path, TaskJar> jars = new TreeMap<>();

  /** When those that cannot be read were opened, on the clock of waiting. */
  private final Map<Path, Long> failed = new HashMap<>();

  private @Nullable PluginProblem folderProblem;

  /** True once there was a look, so that what comes is news. */
  private boolean looked;

  private boolean closed;

  /**
   * The jars of {@code folder}, which need not exist; a folder in it is one jar in several files.
   *
   * @param copies to be closed after the classes
   * @param told problems of which the log has told already
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

  /** The jars that cannot be used as they are now. */
  public List<PluginProblem> problems() {
    return seen().stream().map(CurrentJar::problem).filter(Objects::nonNull).toList();
  }

  /** All jars, and the folder where it cannot be read. */
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
   * Opens what is new or changed, and lets go of what is gone or was replaced: executions may still
   * be in its classes, so that it is not closed.
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
            "The jar {} is read anew; its tasks count from the next attempt{}", place, workflows);
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

  /** At the first look; later the same fault may come anew. */
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

  /** To be called when nothing runs any more. */
  @Override
  public synchronized void close() {
    closed = true;
    jars.values().forEach(TaskJar::close);
    jars.clear();
  }
}
