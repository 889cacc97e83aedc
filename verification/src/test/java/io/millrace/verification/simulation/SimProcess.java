package io.millrace.verification.simulation;

import java.time.Duration;

/**
 * A thread of a simulated JVM. Its methods other than {@link #wake} and interrupt are for itself.
 */
final class SimProcess {

  private static final long FOREVER = Long.MAX_VALUE;

  private final Kernel kernel;
  private final Host host;
  private final String name;
  private final Coroutine coroutine;
  private long rest;
  private boolean interruptible;
  private boolean interrupted;

  SimProcess(Kernel kernel, Host host, String name, Runnable body) {
    this.kernel = kernel;
    this.host = host;
    this.name = name;
    this.coroutine = new Coroutine(name, () -> turn(body));
  }

  private void turn(Runnable body) {
    try {
      checkAlive();
      body.run();
    } catch (Crashed e) {
      // killed: there is nobody left who could be told
    } catch (Throwable fault) {
      kernel.fault(this, fault);
    }
  }

  Host host() {
    return host;
  }

  Coroutine coroutine() {
    return coroutine;
  }

  boolean ended() {
    return coroutine.ended();
  }

  /** Goes on now, or when its host does. */
  void proceed() {
    host.run(() -> {
      if (!ended()) {
        kernel.run(this);
      }
    });
  }

  /** Rests until {@link #wake}d or until the limit has passed. */
  void rest(Duration limit) {
    boolean bounded = limit.compareTo(Duration.ofDays(365)) < 0;
    restUntil(bounded ? kernel.now() + Math.max(0, limit.toNanos()) : FOREVER);
  }

  private void restUntil(long time) {
    checkAlive();
    long mine = ++rest;
    if (time != FOREVER) {
      kernel.at(time, () -> proceedFrom(mine));
    }
    coroutine.handBack();
    checkAlive();
  }

  /** Like {@link #rest}, and ended by an interrupt too. */
  void restInterruptibly(Duration limit) throws InterruptedException {
    throwIfInterrupted();
    interruptible = true;
    try {
      rest(limit);
    } finally {
      interruptible = false;
    }
    throwIfInterrupted();
  }

  private void throwIfInterrupted() throws InterruptedException {
    if (interrupted) {
      interrupted = false;
      throw new InterruptedException("interrupted in the simulation");
    }
  }

  /** Ends the present rest, if there is one, a little later. */
  void wake() {
    long mine = rest;
    kernel.at(kernel.now() + kernel.jitter(), () -> proceedFrom(mine));
  }

  void interrupt() {
    interrupted = true;
    if (interruptible) {
      wake();
    }
  }

  private void proceedFrom(long resting) {
    host.run(() -> {
      if (rest == resting && !ended()) {
        rest++;
        kernel.run(this);
      }
    });
  }

  private void checkAlive() {
    if (host.dead()) {
      throw new Crashed();
    }
  }

  @Override
  public String toString() {
    return host + "/" + name;
  }
}
