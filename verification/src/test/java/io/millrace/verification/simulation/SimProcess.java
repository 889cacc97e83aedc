package io.millrace.verification.simulation;

import java.time.Duration;

/**
 * A thread of a simulated JVM. Only the thread itself may call its methods other than {@link #wake}
 * and interrupt.
 */
final class SimProcess {

  private static final long FOREVER = Long.MAX_VALUE;

  private final SimulationKernel simulationKernel;
  private final SimHost simHost;
  private final String name;
  private final Coroutine coroutine;
  private long rest;
  private boolean interruptible;
  private boolean interrupted;

  SimProcess(SimulationKernel simulationKernel, SimHost simHost, String name, Runnable body) {
    this.simulationKernel = simulationKernel;
    this.simHost = simHost;
    this.name = name;
    this.coroutine = new Coroutine(name, () -> turn(body));
  }

  private void turn(Runnable body) {
    try {
      checkAlive();
      body.run();
    } catch (SimulatedCrash e) {
      // killed: there is no caller left to report to
    } catch (Throwable fault) {
      simulationKernel.fault(this, fault);
    }
  }

  SimHost host() {
    return simHost;
  }

  Coroutine coroutine() {
    return coroutine;
  }

  boolean ended() {
    return coroutine.ended();
  }

  /** Continues now, or when its host does. */
  void proceed() {
    simHost.run(() -> {
      if (!ended()) {
        simulationKernel.run(this);
      }
    });
  }

  /** Rests until {@link #wake}d or until the limit has passed. */
  void rest(Duration limit) {
    boolean bounded = limit.compareTo(Duration.ofDays(365)) < 0;
    restUntil(bounded ? simulationKernel.now() + Math.max(0, limit.toNanos()) : FOREVER);
  }

  private void restUntil(long time) {
    checkAlive();
    long mine = ++rest;
    if (time != FOREVER) {
      simulationKernel.at(time, () -> proceedFrom(mine));
    }
    coroutine.yieldToResumer();
    checkAlive();
  }

  /** Like {@link #rest}, but an interrupt ends it too. */
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

  /** Ends the current rest, if there is one, a little later. */
  void wake() {
    long mine = rest;
    simulationKernel.at(
        simulationKernel.now() + simulationKernel.jitter(), () -> proceedFrom(mine));
  }

  void interrupt() {
    interrupted = true;
    if (interruptible) {
      wake();
    }
  }

  private void proceedFrom(long resting) {
    simHost.run(() -> {
      if (rest == resting && !ended()) {
        rest++;
        simulationKernel.run(this);
      }
    });
  }

  private void checkAlive() {
    if (simHost.dead()) {
      throw new SimulatedCrash();
    }
  }

  @Override
  public String toString() {
    return simHost + "/" + name;
  }
}
