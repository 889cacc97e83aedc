package io.millrace.server;

import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;

/** Messages from tasks in jars to their tests; the tasks see the classes above their jar. */
public final class TaskJarMessages {

  private static final Map<String, BlockingQueue<String>> SAID = new ConcurrentHashMap<>();

  private TaskJarMessages() {}

  public static BlockingQueue<String> of(String task) {
    return SAID.computeIfAbsent(task, name -> new LinkedBlockingQueue<>());
  }
}
