package io.millrace.verification.simulation;

import java.util.concurrent.locks.LockSupport;

/**
 * A thread that runs only while its resumer waits, and the reverse: control is handed over, never
 * shared.
 */
final class Coroutine {

  private final Thread thread;
  private volatile Thread resumer;
  private volatile boolean running;
  private volatile boolean ended;

  Coroutine(String name, Runnable body) {
    this.thread =
        Thread.ofVirtual()
            .name(name)
            .unstarted(() -> {
              try {
                body.run();
              } finally {
                ended = true;
                yieldToCaller();
              }
            });
  }

  /** Runs the coroutine until it yields or ends. */
  void resume() {
    resumer = Thread.currentThread();
    running = true;
    if (thread.getState() == Thread.State.NEW) {
      thread.start();
    } else {
      LockSupport.unpark(thread);
    }
    while (running) {
      LockSupport.park(this);
    }
  }

  /** Waits for the next resume; called inside the coroutine. */
  void yieldToResumer() {
    yieldToCaller();
    while (!running) {
      LockSupport.park(this);
    }
  }

  boolean ended() {
    return ended;
  }

  private void yieldToCaller() {
    Thread back = resumer;
    running = false;
    LockSupport.unpark(back);
  }
}
