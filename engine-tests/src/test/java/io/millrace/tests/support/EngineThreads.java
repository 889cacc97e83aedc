package io.millrace.tests.support;

import java.util.Set;
import java.util.stream.Collectors;

/** The threads of the engines in this process. */
public final class EngineThreads {

  private EngineThreads() {}

  /** Returns the threads of engines, without the idle ones that all engines share. */
  public static Set<Thread> all() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("millrace-"))
        .filter(thread -> !thread.getName().equals("millrace-pool"))
        .collect(Collectors.toSet());
  }
}
