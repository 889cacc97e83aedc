package io.millrace.sequence;

import io.millrace.instance.InvalidRequestException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The components that run tasks on this node: handlers registered by code, and classes.
 * Thread-safe.
 */
final class ComponentRegistry {

  private static final Logger LOG = LoggerFactory.getLogger(ComponentRegistry.class);

  private final Map<String, TaskHandler> handlers;
  private final List<ComponentSource> sources;

  /**
   * Initializations by handler or class. Weak keys, so that classes of replaced jars can be
   * unloaded.
   */
  private final Map<Object, Initialization> initialized =
      Collections.synchronizedMap(new WeakHashMap<>());

  ComponentRegistry(Map<String, TaskHandler> handlers, List<ComponentSource> sources) {
    this.handlers = Map.copyOf(handlers);
    this.sources = List.copyOf(sources);
  }

  /**
   * Returns the initialized handler of a task.
   *
   * @throws InvalidRequestException if this node has no component of that name, or it cannot be
   *     used
   */
  TaskStateHandler.HandlerProvider find(Task task) {
    TaskHandler handler = handlers.get(task.component());
    if (handler != null) {
      return initialized(task, handler, new Registered(handler));
    }
    return new Latest(task, newest(task));
  }

  private record Registered(TaskHandler handler) implements TaskStateHandler.HandlerProvider {
    @Override
    public boolean cpuBound() {
      return handler.cpuBound();
    }
  }

  /** A provider that loads the class again at every attempt, since its jar may have changed. */
  private final class Latest implements TaskStateHandler.HandlerProvider {
    private final Task task;
    private volatile TaskStateHandler.HandlerProvider last;

    Latest(Task task, TaskStateHandler.HandlerProvider first) {
      this.task = task;
      this.last = first;
    }

    @Override
    public TaskHandler handler() throws Exception {
      try {
        last = newest(task);
      } catch (InvalidRequestException e) {
        LOG.debug("Task '{}' goes on with the class that it had", task.name(), e);
      }
      return last.handler();
    }

    @Override
    public boolean cpuBound() {
      try {
        return last.handler().cpuBound();
      } catch (Exception e) {
        throw Initialization.refused(task, String.valueOf(e));
      }
    }
  }

  private TaskStateHandler.HandlerProvider newest(Task task) {
    Constructor<?> constructor = constructor(task, load(task));
    return initialized(task, constructor.getDeclaringClass(), maker(task, constructor));
  }

  /** Returns why a task cannot run here, or null if it can; initializes nothing. */
  @Nullable String problem(Task task) {
    if (handlers.containsKey(task.component())) {
      return null;
    }
    try {
      constructor(task, load(task));
      return null;
    } catch (InvalidRequestException e) {
      return e.getMessage();
    }
  }

  /** Initializes each handler and class once, before its first use. */
  private TaskStateHandler.HandlerProvider initialized(
      Task task, Object what, TaskStateHandler.HandlerProvider handlerProvider) {
    Initialization mine = new Initialization();
    Initialization other = initialized.putIfAbsent(what, mine);
    if (other != null) {
      other.await(task);
      return handlerProvider;
    }
    @Nullable Throwable failure = null;
    try {
      handlerProvider.handler().initialize();
    } catch (Throwable e) {
      // An Error too: otherwise waiting threads would wait without end.
      failure = e;
    }
    if (failure != null) {
      initialized.remove(what, mine);
    }
    mine.end(failure);
    mine.await(task);
    return handlerProvider;
  }

  /** An initialization by one thread, for which all others wait. */
  private static final class Initialization {
    private final CompletableFuture<Optional<Throwable>> failure = new CompletableFuture<>();

    /** Cleared at the end, since its class loader would keep a replaced class. */
    private volatile @Nullable Thread owner = Thread.currentThread();

    void end(@Nullable Throwable why) {
      owner = null;
      failure.complete(Optional.ofNullable(why));
    }

    /**
     * Waits for the initialization, unless the current thread runs it and asks for its own
     * component.
     */
    void await(Task task) {
      if (Thread.currentThread().equals(owner)) {
        return;
      }
      try {
        Optional<Throwable> why = failure.get();
        if (why.isPresent()) {
          throw refused(task, why.get() + ". It is tried again from time to time.");
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw refused(task, "interrupted while another thread does so.");
      } catch (ExecutionException e) {
        throw new AssertionError("only completed with a value", e);
      }
    }

    private static InvalidRequestException refused(Task task, String why) {
      return new InvalidRequestException(
          "Component '"
              + task.component()
              + "' of task '"
              + task.name()
              + "' cannot be initialized: "
              + why);
    }
  }

  private Class<?> load(Task task) {
    for (ComponentSource source : sources) {
      @Nullable Class<?> found = source.find(task.component());
      if (found != null) {
        return found;
      }
    }
    throw new InvalidRequestException(
        "Component '"
            + task.component()
            + "' of task '"
            + task.name()
            + "' is not known here: it is neither a handler registered by code, of which there are "
            + handlers.keySet().stream().sorted().toList()
            + ", nor a class that can be found. Put a jar with the class into the folder of jars, or register a"
            + " handler of that name.");
  }

  private static TaskStateHandler.HandlerProvider maker(Task task, Constructor<?> constructor) {
    String channel = task.channel() == null ? task.name() : task.channel();
    return () -> {
      try {
        return (TaskHandler)
            (constructor.getParameterCount() == 0
                ? constructor.newInstance()
                : constructor.newInstance(channel));
      } catch (InvocationTargetException e) {
        if (e.getCause() instanceof Exception cause) {
          throw cause;
        }
        throw e;
      }
    };
  }

  private static Constructor<?> constructor(Task task, Class<?> type) {
    if (!TaskHandler.class.isAssignableFrom(type)) {
      throw new InvalidRequestException(
          "Component '"
              + type.getName()
              + "' of task '"
              + task.name()
              + "' is no task: expected a class that extends WorkflowTaskSubscriberHandler or implements TaskHandler.");
    }
    for (Constructor<?> constructor : type.getConstructors()) {
      if (Arrays.equals(constructor.getParameterTypes(), new Class<?>[] {String.class})) {
        return constructor;
      }
    }
    for (Constructor<?> constructor : type.getConstructors()) {
      if (constructor.getParameterCount() == 0) {
        return constructor;
      }
    }
    throw new InvalidRequestException(
        "Component '"
            + type.getName()
            + "' of task '"
            + task.name()
            + "' cannot be made: expected a public class with a public constructor that takes the channel as a String,"
            + " or nothing.");
  }
}
