package io.millrace.server.plugin;

import io.millrace.definition.StepInterceptor;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.redis.FlowWork;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The workflows and flows of a folder: every jar in it, and every folder of jars, is one plugin.
 * Immutable after it was loaded; close it after the engine.
 */
public final class Plugins implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Plugins.class);

  /** So begin the types of workflows that the server itself has. */
  private static final String RESERVED = "millrace-";

  private final List<Plugin> loaded = new ArrayList<>();
  private final List<PluginProblem> problems = new ArrayList<>();
  private final Set<String> unread = new HashSet<>();
  private final List<JarCopy> open = new ArrayList<>();
  private final Map<String, ClassLoader> classesOf = new HashMap<>();

  private Plugins() {}

  /**
   * Loads all of {@code folder}, which need not exist.
   *
   * @param pool handed to the providers
   * @param copies to be closed after the plugins
   */
  public static Plugins load(Path folder, DataSource pool, JarCopies copies) {
    Plugins plugins = new Plugins();
    PluginLoader loader = new PluginLoader(pool, copies);
    for (Path place : plugins.places(folder)) {
      plugins.add(place, loader);
    }
    plugins.problems.forEach(problem -> LOG.warn("The plugin {}", problem));
    return plugins;
  }

  /** The plugins that work, those too that have classes of tasks only. */
  public List<Plugin> loaded() {
    return List.copyOf(loaded);
  }

  /** The plugins that did not work when they were loaded. */
  public List<PluginProblem> problems() {
    return List.copyOf(problems);
  }

  /** All workflows; no type and version twice. */
  public List<WorkflowDefinition> workflows() {
    return loaded.stream().flatMap(plugin -> plugin.workflows().stream()).toList();
  }

  /** All Redis flows; no name of a flow or queue twice. */
  public List<FlowWork> flows() {
    return loaded.stream().flatMap(plugin -> plugin.flows().stream()).toList();
  }

  private List<Path> places(Path folder) {
    try {
      return JarFiles.places(folder);
    } catch (IOException e) {
      unread(PluginProblem.ofFolder(folder, e));
      return List.of();
    }
  }

  private void add(Path place, PluginLoader loader) {
    String name = String.valueOf(place.getFileName());
    JarCopy jar;
    try {
      jar = loader.open(place);
    } catch (BadPluginException e) {
      unread(e.of(name));
      return;
    }
    boolean hasWorkflows = PluginLoader.namesProviders(jar.classes());
    boolean hasFlows = PluginLoader.namesFlows(jar.classes());
    if (!hasWorkflows && !hasFlows) {
      loaded.add(new Plugin(name, List.of(), List.of()));
      jar.close();
      return;
    }
    try {
      List<WorkflowDefinition> workflows =
          hasWorkflows ? loader.workflows(jar.classes()) : List.of();
      List<FlowWork> flows = hasFlows ? loader.flows(jar.classes()) : List.of();
      checkNew(workflows);
      checkNewFlows(flows);
      loaded.add(new Plugin(name, workflows, flows));
      open.add(jar);
      workflows.forEach(workflow -> remember(workflow.type(), jar.classes()));
    } catch (BadPluginException e) {
      problems.add(e.of(name));
      jar.close();
    }
  }

  private void unread(PluginProblem problem) {
    unread.add(problem.name());
    problems.add(problem);
  }

  /** True if it could not be read, so that nothing is known of what it has. */
  boolean couldNotRead(String name) {
    return unread.contains(name);
  }

  /** A type of which two jars have a version each is nobody's own. */
  private void remember(String type, ClassLoader classes) {
    classesOf.merge(
        type, classes, (one, other) -> one.equals(other) ? one : Plugins.class.getClassLoader());
  }

  /** Lets libraries that ask the thread for classes find those of the handler's jar. */
  public StepInterceptor interceptor() {
    return (ctx, chain) -> {
      ClassLoader own = classesOf.get(ctx.type());
      if (own == null) {
        return chain.proceed();
      }
      Thread thread = Thread.currentThread();
      ClassLoader before = thread.getContextClassLoader();
      thread.setContextClassLoader(own);
      try {
        return chain.proceed();
      } finally {
        thread.setContextClassLoader(before);
      }
    };
  }

  private void checkNew(List<WorkflowDefinition> workflows) throws BadPluginException {
    List<Plugin> all = new ArrayList<>(loaded);
    List<WorkflowDefinition> own = new ArrayList<>();
    all.add(new Plugin("itself", own, List.of()));
    for (WorkflowDefinition workflow : workflows) {
      if (workflow.type().startsWith(RESERVED)) {
        throw new BadPluginException(
            "It has workflow "
                + workflow
                + "; types that begin with millrace- are the server's own.",
            "Give it another type.");
      }
      for (Plugin plugin : all) {
        if (plugin.workflows().stream().anyMatch(other -> same(other, workflow))) {
          throw new BadPluginException(
              "It has workflow " + workflow + ", which '" + plugin.name() + "' has too.",
              "Remove one of them, or give one another type or version.");
        }
      }
      own.add(workflow);
    }
  }

  /** A queue belongs to one flow of a process, since its entries do not tell theirs. */
  private void checkNewFlows(List<FlowWork> flows) throws BadPluginException {
    Map<String, String> owners = new HashMap<>();
    for (Plugin plugin : loaded) {
      plugin.flows().forEach(work -> names(work).forEach(name -> owners.put(name, plugin.name())));
    }
    for (FlowWork work : flows) {
      for (String name : names(work)) {
        String owner = owners.putIfAbsent(name, "itself");
        if (owner != null) {
          throw new BadPluginException(
              "It has " + name + ", which '" + owner + "' has too.",
              "Remove one of them, or give one another name.");
        }
      }
    }
  }

  private static List<String> names(FlowWork work) {
    List<String> names = new ArrayList<>(List.of("flow " + work.flow().name()));
    work.flow().queues().forEach(queue -> names.add("queue " + queue.name()));
    return names;
  }

  private static boolean same(WorkflowDefinition one, WorkflowDefinition other) {
    return one.type().equals(other.type()) && one.version() == other.version();
  }

  @Override
  public void close() {
    open.forEach(JarCopy::close);
    open.clear();
  }
}
