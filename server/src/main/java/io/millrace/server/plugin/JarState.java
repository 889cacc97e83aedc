package io.millrace.server.plugin;

import io.millrace.definition.WorkflowDefinition;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The current state of a jar. Its workflows are those of the start, and its classes of tasks are
 * read while the server runs.
 *
 * @param types types of the running workflows
 * @param problems its current problems
 */
public record JarState(String name, List<String> types, List<PluginProblem> problems) {

  /** Returns the states of all jars, by name. */
  public static List<JarState> of(Plugins plugins, TaskJars tasks) {
    Map<String, JarState> states = new TreeMap<>();
    for (Plugin plugin : plugins.loaded()) {
      List<String> types =
          plugin.workflows().stream().map(WorkflowDefinition::type).distinct().toList();
      add(states, new JarState(plugin.name(), types, List.of()));
    }
    for (TaskJars.CurrentJar now : tasks.seen()) {
      add(states, new JarState(now.name(), List.of(), problems(now, plugins)));
    }
    return List.copyOf(states.values());
  }

  private static void add(Map<String, JarState> states, JarState more) {
    states.merge(
        more.name, more, (one, other) -> new JarState(one.name, one.types, other.problems));
  }

  /**
   * Returns the current problems. A problem with workflows at the start remains, while a problem
   * with a file depends on the current file.
   */
  private static List<PluginProblem> problems(TaskJars.CurrentJar now, Plugins plugins) {
    Stream<PluginProblem> atStart =
        plugins.problems().stream()
            .filter(problem -> problem.name().equals(now.name()))
            .filter(problem -> !plugins.couldNotRead(problem.name()));
    Stream<PluginProblem> atPresent = Stream.ofNullable(now.problem());
    if (now.problem() == null && now.hasWorkflows() && plugins.couldNotRead(now.name())) {
      atPresent =
          Stream.of(
              new PluginProblem(
                  now.name(),
                  "It could not be read when the server started; now it has workflows, which are read"
                      + " at the next start.",
                  "Start the server again."));
    }
    return Stream.concat(atStart, atPresent).toList();
  }
}
