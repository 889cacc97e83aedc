package io.millrace.server;

/**
 * A command that a module on the class path adds to the program. {@link java.util.ServiceLoader}
 * finds the implementations.
 */
public interface CommandProvider {

  /** Returns the class of the command, annotated for picocli. */
  Class<?> commandClass();
}
