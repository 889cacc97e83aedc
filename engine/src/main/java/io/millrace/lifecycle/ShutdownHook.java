package io.millrace.lifecycle;

/** A hook that runs when the JVM is asked to terminate, for example by SIGTERM. */
public final class ShutdownHook implements AutoCloseable {

  private final Thread thread;

  private ShutdownHook(Thread thread) {
    this.thread = thread;
  }

  /** Installs {@code action}; the JVM ends when it has returned. */
  public static ShutdownHook install(String name, Runnable action) {
    Thread thread = Thread.ofPlatform().name(name).unstarted(action);
    Runtime.getRuntime().addShutdownHook(thread);
    return new ShutdownHook(thread);
  }

  /** Removes the hook, unless the JVM is terminating already. */
  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(thread);
    } catch (IllegalStateException e) {
      // The JVM is terminating: the hook called this method, or has nothing to do.
    }
  }
}
