package io.millrace.server.plugin;

import io.millrace.WorkflowProvider;
import io.millrace.definition.WorkflowDefinition;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import javax.sql.DataSource;

/** Opens one jar, or one folder of jars, and asks its providers. */
final class PluginLoader {

  private static final String SERVICE = "META-INF/services/" + WorkflowProvider.class.getName();

  private final DataSource pool;

  PluginLoader(DataSource pool) {
    this.pool = pool;
  }

  /**
   * A class loader for {@code place}, below the server's own, so that both know the same engine.
   */
  URLClassLoader open(Path place) throws BadPluginException {
    try {
      List<URL> urls = new ArrayList<>();
      for (Path jar : jars(place)) {
        check(jar);
        urls.add(jar.toUri().toURL());
      }
      return new URLClassLoader(
          "workflows:" + place.getFileName(),
          urls.toArray(URL[]::new),
          WorkflowProvider.class.getClassLoader());
    } catch (IOException e) {
      throw new BadPluginException(
          "It cannot be read: " + e.getMessage() + ".",
          "Expected a jar; check its rights, or copy it again.");
    }
  }

  private static List<Path> jars(Path place) throws IOException {
    if (!Files.isDirectory(place)) {
      return List.of(place);
    }
    try (Stream<Path> files = Files.list(place)) {
      return files.filter(file -> file.toString().endsWith(".jar")).sorted().toList();
    }
  }

  /** A class loader would pass over a damaged file without a word. */
  private static void check(Path jar) throws IOException {
    new JarFile(jar.toFile()).close();
  }

  /** What the providers in {@code classes} have; nothing where there are only classes of tasks. */
  List<WorkflowDefinition> workflows(URLClassLoader classes) throws BadPluginException {
    if (classes.findResource(SERVICE) == null) {
      return List.of();
    }
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
