package io.millrace.verification.simulation;

import java.util.ArrayList;
import java.util.List;

/** A simulated JVM, which may be paused, as by SIGSTOP, and killed, as by SIGKILL. */
final class SimHost {

  private final SimulationKernel simulationKernel;
  private final String name;
  private final List<Runnable> frozen = new ArrayList<>();
  private boolean paused;
  private boolean dead;

  SimHost(SimulationKernel simulationKernel, String name) {
    this.simulationKernel = simulationKernel;
    this.name = name;
  }

  /** Runs an action inside this host: at once, after a pause, or never. */
  void run(Runnable action) {
    if (dead) {
      return;
    }
    if (paused) {
      frozen.add(action);
    } else {
      action.run();
    }
  }

  void pause() {
    paused = true;
  }

  void resume() {
    paused = false;
    List<Runnable> waiting = List.copyOf(frozen);
    frozen.clear();
    waiting.forEach(action ->
        simulationKernel.at(simulationKernel.now() + simulationKernel.jitter(), () -> run(action)));
  }

  void die() {
    dead = true;
    frozen.clear();
  }

  boolean paused() {
    return paused;
  }

  boolean dead() {
    return dead;
  }

  @Override
  public String toString() {
    return name;
  }
}
