package io.millrace.lifecycle;

/** Runs something when the JVM is told to end, by SIGTERM for example. */
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

  /** Takes the hook out, unless the JVM is ending already. */
  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(thread);
    } catch (IllegalStateException e) {
      // the JVM is ending; the hook is what called us, or it will find nothing to do
    }
  }
}
