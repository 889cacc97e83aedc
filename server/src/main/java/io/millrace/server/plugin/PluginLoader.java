package io.millrace.server.plugin;

import io.millrace.WorkflowProvider;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.redis.FlowProvider;
import io.millrace.redis.ServedFlow;
import io.millrace.redis.flow.JobHandler;
import java.io.IOException;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.function.Function;
import javax.sql.DataSource;

/** A loader that opens one jar, or one folder of jars, and calls its providers. */
final class PluginLoader {

  private static final String SERVICES = "META-INF/services/";

  private final DataSource pool;
  private final JarCopies copies;

  PluginLoader(DataSource pool, JarCopies copies) {
    this.pool = pool;
    this.copies = copies;
  }

  JarCopy open(Path place) throws InvalidPluginException {
    try {
      return copies.copy("workflows", place, JarFiles.withClassPaths(JarFiles.of(place)));
    } catch (IOException e) {
      throw JarCopies.unreadable(e);
    }
  }

  /** True if the jar names providers of workflows. */
  static boolean namesProviders(URLClassLoader classes) {
    return names(classes, WorkflowProvider.class);
  }

  /** True if the jar names providers of flows. */
  static boolean namesFlows(URLClassLoader classes) {
    return names(classes, FlowProvider.class);
  }

  private static boolean names(URLClassLoader classes, Class<?> type) {
    return classes.findResource(SERVICES + type.getName()) != null;
  }

  /** Returns a registry for the jar with this name. */
  JarRegistry registry(String name, URLClassLoader classes) {
    return new JarRegistry(name, pool, classes);
  }

  /** Loads the providers in {@code classes} and adds what they register to {@code registry}. */
  List<WorkflowDefinition> workflows(URLClassLoader classes, JarRegistry registry)
      throws InvalidPluginException {
    return ask(
        classes,
        WorkflowProvider.class,
        "workflows",
        one -> {
          Collection<WorkflowDefinition> workflows = one.workflows(pool);
          one.register(registry);
          return workflows;
        });
  }

  /**
   * Returns the Redis flows of the providers in {@code classes}; handlers find the classes of the
   * jar.
   */
  List<ServedFlow> flows(URLClassLoader classes) throws InvalidPluginException {
    return ask(classes, FlowProvider.class, "flows", one -> one.flows(pool)).stream()
        .map(work -> within(classes, work))
        .toList();
  }

  private static ServedFlow within(ClassLoader classes, ServedFlow work) {
    List<ServedFlow.WorkerPool> services = new ArrayList<>();
    for (ServedFlow.WorkerPool one : work.workerPools()) {
      JobHandler handler = one.handler();
      services.add(
          handler == null
              ? one
              : new ServedFlow.WorkerPool(one.queue(), one.workers(), within(classes, handler)));
    }
    return new ServedFlow(work.flow(), services);
  }

  private static JobHandler within(ClassLoader classes, JobHandler handler) {
    return job -> JarScope.callIn(classes, () -> handler.handle(job));
  }

  private static <P, T> List<T> ask(
      URLClassLoader classes, Class<P> type, String what, Function<P, Collection<T>> question)
      throws InvalidPluginException {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(classes);
    try {
      return answers(classes, type, what, question);
    } catch (ServiceConfigurationError | LinkageError e) {
      throw new InvalidPluginException(
          "Its provider cannot be used: " + describe(e) + ".",
          "Check "
              + SERVICES
              + type.getName()
              + " in the jar, and that the jar holds the classes it needs, built for this Java and"
              + " this version of Millrace.");
    } catch (RuntimeException | AssertionError e) {
      throw new InvalidPluginException(
          "Its provider failed: " + describe(e) + ".",
          "Mend the provider, or give it what it needs, and start the server again.");
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  private static <P, T> List<T> answers(
      URLClassLoader classes, Class<P> type, String what, Function<P, Collection<T>> question)
      throws InvalidPluginException {
    List<P> providers =
        ServiceLoader.load(type, classes).stream()
            .filter(provider -> classes.equals(provider.type().getClassLoader()))
            .map(ServiceLoader.Provider::get)
            .toList();
    if (providers.isEmpty()) {
      throw new InvalidPluginException(
          "It names no provider of " + what + ".",
          "Add a class that implements "
              + type.getName()
              + ", and a file "
              + SERVICES
              + type.getName()
              + " with its name.");
    }
    List<T> all = new ArrayList<>();
    for (P provider : providers) {
      Collection<T> given = question.apply(provider);
      if (given == null || given.stream().anyMatch(one -> one == null)) {
        throw new InvalidPluginException(
            "Its provider " + provider.getClass().getName() + " answered with null.",
            "Answer with a collection of " + what + ", an empty one for none.");
      }
      all.addAll(given);
    }
    return List.copyOf(all);
  }

  /** Returns the error with its causes, without stack traces. */
  static String describe(Throwable error) {
    StringBuilder text = new StringBuilder();
    for (Throwable cause = error; cause != null; cause = cause.getCause()) {
      if (!text.isEmpty()) {
        text.append(", caused by ");
      }
      String message = cause.getMessage();
      text.append(cause.getClass().getSimpleName());
      if (message != null) {
        text.append(": ").append(message.lines().findFirst().orElse("").replaceAll("\\.$", ""));
      }
    }
    return text.toString();
  }
}
