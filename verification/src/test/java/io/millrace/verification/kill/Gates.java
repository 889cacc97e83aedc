package io.millrace.verification.kill;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/** Holds threads of a node until it is told, by a line of its input, to let them pass. */
final class Gates {

  /** Before messages are looked for in the outbox. */
  static final String SEND = "send";

  /** Before the task that an execution shall not leave yet ends. */
  static final String WAIT = "wait";

  /** The same, for those that shall stop between two tasks. */
  static final String BETWEEN = "between";

  /** At the points at which executions are stopped. */
  static final String POINTS = "points";

  /** Before messages are received, schedules fired and messages sent: the node lives, no more. */
  static final String NODE = "node";

  private final Set<String> closed = new HashSet<>();

  /**
   * @param closed names with commas between them
   */
  Gates(String closed) {
    this.closed.addAll(Arrays.asList(closed.split(",")));
  }

  /** Returns once the gate is open, over all interrupts; whoever is held says so. */
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

  /** Does what a line says: OPEN or CLOSE, and the name of a gate. */
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
