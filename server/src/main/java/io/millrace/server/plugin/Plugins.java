package io.millrace.server.plugin;

import io.millrace.EngineBuilder;
import io.millrace.codec.Codec;
import io.millrace.continuous.ContinuousWorkflow;
import io.millrace.definition.AttemptInterceptor;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.instance.MillraceException;
import io.millrace.redis.ServedFlow;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The workflows and flows of a folder: every jar in it, and every folder of jars, is one plugin.
 * Immutable after loading; must be closed after the engine.
 */
public final class Plugins implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Plugins.class);

  /** The prefix of the types of the server's own workflows. */
  private static final String RESERVED = "millrace-";

  private final List<Plugin> loaded = new ArrayList<>();
  private final List<PluginProblem> problems = new ArrayList<>();
  private final Set<String> unread = new HashSet<>();
  private final List<JarCopy> open = new ArrayList<>();
  private final List<JarRegistry> registries = new ArrayList<>();
  private final Map<String, ClassLoader> classesOf = new HashMap<>();

  /** The reasons why the engine's codec is uncertain; empty if it is certain. */
  private final List<String> codecProblems = new ArrayList<>();

  private Plugins() {}

  /**
   * Loads all plugins of {@code folder}, which need not exist.
   *
   * @param pool passed to the providers
   * @param copies closed after the plugins
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

  /** Returns the plugins that work, including those with classes of tasks only. */
  public List<Plugin> loaded() {
    return List.copyOf(loaded);
  }

  /** Returns the plugins that could not be loaded. */
  public List<PluginProblem> problems() {
    return List.copyOf(problems);
  }

  /** Returns all workflows; each type and version occurs once. */
  public List<WorkflowDefinition> workflows() {
    return loaded.stream().flatMap(plugin -> plugin.workflows().stream()).toList();
  }

  /** Returns all Redis flows; each name of a flow or queue occurs once. */
  public List<ServedFlow> flows() {
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
    } catch (InvalidPluginException e) {
      unread(e.of(name));
      return;
    }
    boolean hasWorkflows = PluginLoader.namesProviders(jar.classes());
    boolean hasFlows = PluginLoader.namesFlows(jar.classes());
    if (!hasWorkflows && !hasFlows) {
      loaded.add(new Plugin(name, List.of(), List.of(), JarContents.NONE));
      jar.close();
      return;
    }
    JarRegistry registry = loader.registry(name, jar.classes());
    try {
      List<WorkflowDefinition> workflows =
          hasWorkflows ? loader.workflows(jar.classes(), registry) : List.of();
      List<ServedFlow> flows = hasFlows ? loader.flows(jar.classes()) : List.of();
      JarContents parts = registry.parts();
      List<WorkflowDefinition> all = withEvents(workflows, parts);
      checkNew(all);
      checkNewFlows(flows);
      checkNewParts(parts);
      loaded.add(new Plugin(name, all, flows, parts));
      open.add(jar);
      registries.add(registry);
      all.forEach(workflow -> remember(workflow.type(), jar.classes()));
    } catch (InvalidPluginException e) {
      problems.add(e.of(name));
      if (registry.hasCodec()) {
        codecProblems.add(
            "The jar '" + name + "' registers a codec, and cannot be used. " + e.of(name).detail());
      }
      registry.close();
      jar.close();
    }
  }

  /**
   * Returns the workflows and the definitions of events. Several continuous workflows may share a
   * definition, which may also be registered itself.
   */
  private static List<WorkflowDefinition> withEvents(
      List<WorkflowDefinition> workflows, JarContents parts) {
    List<WorkflowDefinition> all = new ArrayList<>(workflows);
    for (ContinuousWorkflow workflow : parts.continuous()) {
      if (!all.contains(workflow.events())) {
        all.add(workflow.events());
      }
    }
    return List.copyOf(all);
  }

  private void unread(PluginProblem problem) {
    unread.add(problem.name());
    problems.add(problem);
  }

  /** True if the jar could not be read, so that its contents are unknown. */
  boolean couldNotRead(String name) {
    return unread.contains(name);
  }

  /** Remembers the class loader of a type. A type with versions in two jars belongs to neither. */
  private void remember(String type, ClassLoader classes) {
    classesOf.merge(
        type, classes, (one, other) -> one.equals(other) ? one : Plugins.class.getClassLoader());
  }

  /** Returns an interceptor that sets the context class loader to that of the handler's jar. */
  public AttemptInterceptor interceptor() {
    return (ctx, chain) -> {
      ClassLoader own = classesOf.get(ctx.type());
      return own == null ? chain.proceed() : JarScope.callIn(own, chain::proceed);
    };
  }

  /**
   * Adds everything that the jars supply to an engine. Their interceptors run before the one that
   * sets the class loader of the handler's jar.
   *
   * @throws MillraceException if two jars supply a codec, or the jar that supplies it is left out
   */
  public void addTo(EngineBuilder builder) {
    codec().ifPresent(builder::codec);
    builder.workflows(workflows());
    for (Plugin plugin : loaded) {
      JarContents parts = plugin.parts();
      parts.continuous().forEach(builder::continuous);
      parts.interceptors().forEach(builder::interceptor);
      parts.listeners().forEach(builder::listener);
      parts.warmUps().forEach(builder::onWarmUp);
    }
    builder.interceptor(interceptor());
  }

  /**
   * Returns the codec of the engine; empty for the default one. With a different codec, the engine
   * could misread stored data, so a server must not start while the codec is uncertain.
   *
   * @throws MillraceException if two jars supply a codec, or the jar that supplies it is left out
   */
  public Optional<Codec> codec() {
    if (!codecProblems.isEmpty()) {
      throw new MillraceException(codecProblems.getFirst());
    }
    List<Plugin> suppliers =
        loaded.stream().filter(plugin -> plugin.parts().codec() != null).toList();
    if (suppliers.size() > 1) {
      throw new MillraceException(
          "The jars "
              + suppliers.stream()
                  .map(plugin -> "'" + plugin.name() + "'")
                  .collect(Collectors.joining(" and "))
              + " each register a codec; expected one at most. Remove one of the jars, or its"
              + " codec.");
    }
    return suppliers.stream().map(plugin -> plugin.parts().codec()).findFirst();
  }

  private void checkNew(List<WorkflowDefinition> workflows) throws InvalidPluginException {
    List<Plugin> all = new ArrayList<>(loaded);
    List<WorkflowDefinition> own = new ArrayList<>();
    all.add(new Plugin("itself", own, List.of(), JarContents.NONE));
    for (WorkflowDefinition workflow : workflows) {
      if (workflow.type().startsWith(RESERVED)) {
        throw new InvalidPluginException(
            "It has workflow "
                + workflow
                + "; types that begin with millrace- are the server's own.",
            "Give it another type.");
      }
      for (Plugin plugin : all) {
        if (plugin.workflows().stream().anyMatch(other -> same(other, workflow))) {
          throw new InvalidPluginException(
              "It has workflow " + workflow + ", which '" + plugin.name() + "' has too.",
              "Remove one of them, or give one another type or version.");
        }
      }
      own.add(workflow);
    }
  }

  /** Checks the names of continuous workflows and of health checks. */
  private void checkNewParts(JarContents parts) throws InvalidPluginException {
    Map<String, String> owners = new HashMap<>();
    for (Plugin plugin : loaded) {
      names(plugin.parts()).forEach(name -> owners.put(name, plugin.name()));
    }
    for (ContinuousWorkflow workflow : parts.continuous()) {
      if (workflow.name().startsWith(RESERVED)) {
        throw new InvalidPluginException(
            "It has continuous workflow '"
                + workflow.name()
                + "'; names that begin with millrace- are the server's own.",
            "Give it another name.");
      }
    }
    checkUnowned(names(parts), owners);
  }

  private static List<String> names(JarContents parts) {
    List<String> names = new ArrayList<>();
    parts.continuous().forEach(one -> names.add("continuous workflow '" + one.name() + "'"));
    parts.checks().keySet().forEach(name -> names.add("health check '" + name + "'"));
    return names;
  }

  /**
   * Checks that each queue belongs to one flow of a process, since the entries of a queue do not
   * name their flow.
   */
  private void checkNewFlows(List<ServedFlow> flows) throws InvalidPluginException {
    Map<String, String> owners = new HashMap<>();
    for (Plugin plugin : loaded) {
      plugin.flows().forEach(work -> names(work).forEach(name -> owners.put(name, plugin.name())));
    }
    checkUnowned(flows.stream().flatMap(work -> names(work).stream()).toList(), owners);
  }

  private static void checkUnowned(List<String> names, Map<String, String> owners)
      throws InvalidPluginException {
    for (String name : names) {
      String owner = owners.putIfAbsent(name, "itself");
      if (owner != null) {
        throw new InvalidPluginException(
            "It has " + name + ", which '" + owner + "' has too.",
            "Remove one of them, or give one another name.");
      }
    }
  }

  private static List<String> names(ServedFlow work) {
    List<String> names = new ArrayList<>(List.of("flow " + work.flow().name()));
    work.flow().queues().forEach(queue -> names.add("queue " + queue.name()));
    return names;
  }

  private static boolean same(WorkflowDefinition one, WorkflowDefinition other) {
    return one.type().equals(other.type()) && one.version() == other.version();
  }

  @Override
  public void close() {
    registries.reversed().forEach(JarRegistry::close);
    registries.clear();
    open.forEach(JarCopy::close);
    open.clear();
  }
}
