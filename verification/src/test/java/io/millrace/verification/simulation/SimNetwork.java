package io.millrace.verification.simulation;

import io.millrace.store.SaveRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The network between the simulated machines and the database, with its current faults. */
final class SimNetwork {

  /** The fate of one request. */
  enum Fate {
    FINE,
    LOST_REQUEST,
    LOST_REPLY,
    LATE
  }

  private record Listener(SimHost host, Runnable onHint) {}

  private final SimulationKernel simulationKernel;
  private final List<Listener> listeners = new ArrayList<>();
  private final Set<Long> refused = new HashSet<>();
  private final Set<String> heldKeys = new HashSet<>();
  private FaultProbabilities faultProbabilities;
  private long databaseBackAt;

  SimNetwork(SimulationKernel simulationKernel, FaultProbabilities faultProbabilities) {
    this.simulationKernel = simulationKernel;
    this.faultProbabilities = faultProbabilities;
  }

  /** Ends all faults of the network. */
  void stopFaults() {
    faultProbabilities = FaultProbabilities.NONE;
    databaseBackAt = 0;
    heldKeys.clear();
  }

  void databaseDown(Duration time) {
    databaseBackAt = simulationKernel.now() + time.toNanos();
  }

  boolean databaseIsDown() {
    return simulationKernel.now() < databaseBackAt;
  }

  Fate fate() {
    double draw = simulationKernel.random.nextDouble();
    if (draw < faultProbabilities.lostRequest()) {
      return Fate.LOST_REQUEST;
    }
    if (draw < faultProbabilities.lostRequest() + faultProbabilities.lostReply()) {
      return Fate.LOST_REPLY;
    }
    boolean late =
        draw
            < faultProbabilities.lostRequest()
                + faultProbabilities.lostReply()
                + faultProbabilities.late();
    return late ? Fate.LATE : Fate.FINE;
  }

  /** True if a write of this instance has been rejected. */
  boolean hasRefused(long instanceId) {
    return refused.contains(instanceId);
  }

  /** True if the database rejects this write. */
  boolean refuses(SaveRequest saveRequest) {
    boolean refuses =
        faultProbabilities.refused() > 0
            && simulationKernel.random.nextDouble() < faultProbabilities.refused();
    if (refuses) {
      refused.add(saveRequest.fence().instanceId());
    }
    return refuses;
  }

  /**
   * Simulates a transaction of the application that inserts an external id and is rolled back after
   * a time.
   */
  void holdKey(String externalId, Duration time) {
    heldKeys.add(externalId);
    simulationKernel.after(time, () -> heldKeys.remove(externalId));
  }

  /** True if an open transaction holds one of the external ids. */
  boolean blocks(List<String> externalIds) {
    return externalIds.stream().anyMatch(heldKeys::contains);
  }

  /** Returns the time that a message takes. */
  Duration delay() {
    boolean slow = simulationKernel.random.nextDouble() < faultProbabilities.slow();
    return Duration.ofNanos(simulationKernel.random.nextLong(slow ? 9_000_000_000L : 1_500_000));
  }

  /** Returns the delay of a late request before it is executed. */
  Duration detour() {
    return Duration.ofMillis(simulationKernel.random.nextInt(20_000));
  }

  /**
   * Returns the time after which a caller learns that its request failed: by a reset, or by a time
   * limit.
   */
  Duration errorAfter() {
    boolean reset = simulationKernel.random.nextBoolean();
    return Duration.ofMillis(1 + simulationKernel.random.nextInt(reset ? 20 : 8000));
  }

  void listen(SimHost simHost, Runnable onHint) {
    listeners.add(new Listener(simHost, onHint));
  }

  void hint(SimHost from) {
    for (Listener listener : listeners) {
      if (listener.host != from
          && simulationKernel.random.nextDouble() >= faultProbabilities.lostHint()) {
        simulationKernel.after(delay(), () -> listener.host.run(listener.onHint));
      }
    }
  }
}
