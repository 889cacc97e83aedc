package io.millrace.server.plugin;

import io.millrace.WorkflowProvider;
import io.millrace.definition.WorkflowDefinition;
import java.io.IOException;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import javax.sql.DataSource;

/** Opens one jar, or one folder of jars, and asks its providers. */
final class PluginLoader {

  private static final String SERVICE = "META-INF/services/" + WorkflowProvider.class.getName();

  private final DataSource pool;
  private final JarCopies copies;

  PluginLoader(DataSource pool, JarCopies copies) {
    this.pool = pool;
    this.copies = copies;
  }

  JarCopy open(Path place) throws BadPluginException {
    try {
      return copies.copy("workflows", place, JarFiles.withClassPaths(JarFiles.of(place)));
    } catch (IOException e) {
      throw JarCopies.unreadable(e);
    }
  }

  /** True if there are workflows, or should be. */
  static boolean namesProviders(URLClassLoader classes) {
    return classes.findResource(SERVICE) != null;
  }

  /** What the providers in {@code classes} have. */
  List<WorkflowDefinition> workflows(URLClassLoader classes) throws BadPluginException {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(classes);
    try {
      return ask(classes);
    } catch (ServiceConfigurationError | LinkageError e) {
      throw new BadPluginException(
          "Its provider cannot be used: " + describe(e) + ".",
          "Check "
              + SERVICE
              + " in the jar, and that the jar holds the classes it needs, built for this Java and"
              + " this version of Millrace.");
    } catch (RuntimeException | AssertionError e) {
      throw new BadPluginException(
          "Its provider failed: " + describe(e) + ".",
          "Mend the provider, or give it what it needs, and start the server again.");
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  private List<WorkflowDefinition> ask(URLClassLoader classes) throws BadPluginException {
    List<WorkflowProvider> providers =
        ServiceLoader.load(WorkflowProvider.class, classes).stream()
            .filter(provider -> classes.equals(provider.type().getClassLoader()))
            .map(ServiceLoader.Provider::get)
            .toList();
    if (providers.isEmpty()) {
      throw new BadPluginException(
          "It names no provider of workflows.",
          "Add a class that implements io.millrace.WorkflowProvider, and a file "
              + SERVICE
              + " with its name.");
    }
    List<WorkflowDefinition> workflows = new ArrayList<>();
    for (WorkflowProvider provider : providers) {
      Collection<WorkflowDefinition> given = provider.workflows(pool);
      if (given == null || given.stream().anyMatch(one -> one == null)) {
        throw new BadPluginException(
            "Its provider " + provider.getClass().getName() + " answered with null.",
            "Answer with a collection of definitions, an empty one for none.");
      }
      workflows.addAll(given);
    }
    return List.copyOf(workflows);
  }

  /** The error with the cause behind it, without stack traces. */
  private static String describe(Throwable error) {
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
