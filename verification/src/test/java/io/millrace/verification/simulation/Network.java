package io.millrace.verification.simulation;

import io.millrace.store.Save;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What lies between the simulated machines and the database, with its faults of the moment. */
final class Network {

  /** What becomes of one request. */
  enum Fate {
    FINE,
    LOST_REQUEST,
    LOST_REPLY,
    LATE
  }

  private record Listener(Host host, Runnable onHint) {}

  private final Kernel kernel;
  private final List<Listener> listeners = new ArrayList<>();
  private final Set<Long> refused = new HashSet<>();
  private final Set<String> heldKeys = new HashSet<>();
  private Chances chances;
  private long databaseBackAt;

  Network(Kernel kernel, Chances chances) {
    this.kernel = kernel;
    this.chances = chances;
  }

  /** From now on nothing fails any more. */
  void calm() {
    chances = Chances.NONE;
    databaseBackAt = 0;
    heldKeys.clear();
  }

  void databaseDown(Duration time) {
    databaseBackAt = kernel.now() + time.toNanos();
  }

  boolean databaseIsDown() {
    return kernel.now() < databaseBackAt;
  }

  Fate fate() {
    double draw = kernel.random.nextDouble();
    if (draw < chances.lostRequest()) {
      return Fate.LOST_REQUEST;
    }
    if (draw < chances.lostRequest() + chances.lostReply()) {
      return Fate.LOST_REPLY;
    }
    boolean late = draw < chances.lostRequest() + chances.lostReply() + chances.late();
    return late ? Fate.LATE : Fate.FINE;
  }

  /** True when a write of this instance has been refused. */
  boolean hasRefused(long instanceId) {
    return refused.contains(instanceId);
  }

  /** Whether the database refuses this write. */
  boolean refuses(Save save) {
    boolean refuses = chances.refused() > 0 && kernel.random.nextDouble() < chances.refused();
    if (refuses) {
      refused.add(save.fence().instanceId());
    }
    return refuses;
  }

  /** A transaction of the application inserts an external id and is rolled back after a time. */
  void holdKey(String externalId, Duration time) {
    heldKeys.add(externalId);
    kernel.after(time, () -> heldKeys.remove(externalId));
  }

  /** True if an open transaction holds one of the external ids. */
  boolean blocks(List<String> externalIds) {
    return externalIds.stream().anyMatch(heldKeys::contains);
  }

  /** How long a message is under way. */
  Duration delay() {
    boolean slow = kernel.random.nextDouble() < chances.slow();
    return Duration.ofNanos(kernel.random.nextLong(slow ? 9_000_000_000L : 1_500_000));
  }

  /** How long a request goes astray before it is carried out. */
  Duration detour() {
    return Duration.ofMillis(kernel.random.nextInt(20_000));
  }

  /** After which time a caller learns that its request failed: by a reset, or by a time limit. */
  Duration errorAfter() {
    boolean reset = kernel.random.nextBoolean();
    return Duration.ofMillis(1 + kernel.random.nextInt(reset ? 20 : 8000));
  }

  void listen(Host host, Runnable onHint) {
    listeners.add(new Listener(host, onHint));
  }

  void hint(Host from) {
    for (Listener listener : listeners) {
      if (listener.host != from && kernel.random.nextDouble() >= chances.lostHint()) {
        kernel.after(delay(), () -> listener.host.run(listener.onHint));
      }
    }
  }
}
