package io.millrace.verification.kill;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/** Gates that hold threads of a node until a line on standard input opens them. */
final class Gates {

  /** Gate before messages are claimed from the outbox. */
  static final String SEND = "send";

  /** Gate before the end of a task that an execution must not leave yet. */
  static final String WAIT = "wait";

  /** Gate before the end of a task, for executions that are stopped between two tasks. */
  static final String BETWEEN = "between";

  /** Gate at the points at which executions are stopped. */
  static final String POINTS = "points";

  /**
   * Gate before messages are received, schedules fired and messages sent; a held node is alive, but
   * idle.
   */
  static final String NODE = "node";

  private final Set<String> closed = new HashSet<>();

  /**
   * @param closed names of the closed gates, separated by commas
   */
  Gates(String closed) {
    this.closed.addAll(Arrays.asList(closed.split(",")));
  }

  /** Returns once the gate is open, despite interrupts; prints a line if the caller has to wait. */
  synchronized void pass(String name) {
    if (!closed.contains(name)) {
      return;
    }
    say("HELD " + name);
    boolean interrupted = false;
    while (closed.contains(name)) {
      try {
        wait();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  synchronized boolean isClosed(String name) {
    return closed.contains(name);
  }

  /** Executes a line: OPEN or CLOSE, and the name of a gate. */
  synchronized void command(String line) {
    String name = line.substring(line.indexOf(' ') + 1);
    if (line.startsWith("OPEN ")) {
      closed.remove(name);
    } else {
      closed.add(name);
    }
    notifyAll();
    say("DONE " + line);
  }

  static void say(String line) {
    synchronized (System.out) {
      System.out.println(line);
      System.out.flush();
    }
  }
}
