package io.millrace.dispatch;

import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Everything this engine holds, by instance. */
final class HeldSet {

  private final Map<Long, Held> byId = new ConcurrentHashMap<>();
  private final Exits exits;

  HeldSet(Exits exits) {
    this.exits = exits;
  }

  /**
   * Adds a newly claimed instance unless a later claim of it is present: answers of the database
   * can overtake each other. The older of two claims is thereby known to be lost, and is dropped.
   *
   * @return false if {@code held} is the older one
   */
  boolean add(Held held, boolean interrupt) {
    @Nullable Held[] older = new Held[1];
    byId.compute(
        held.id(),
        (id, present) -> {
          boolean wins = present == null || present.isOlderThan(held);
          older[0] = wins ? present : held;
          return wins ? held : present;
        });
    if (older[0] != null) {
      drop(older[0], "the instance was claimed anew", interrupt);
    }
    return older[0] != held;
  }

  /**
   * Gives the instance up: its handler is told to stop and its result will be thrown away.
   *
   * @param interrupt also interrupt the handler's thread
   * @return the phase it was in
   */
  Held.Phase drop(Held unwanted, String why, boolean interrupt) {
    Held.Phase before = unwanted.drop(why, interrupt);
    if (before == Held.Phase.RUNNING) {
      exits.expect(unwanted);
    }
    return before;
  }

  /** True if the instance was given up and its handler has not ended yet. */
  boolean isExiting(long instanceId) {
    return exits.contains(instanceId);
  }

  /** Removes exactly this claim. */
  void remove(Held held) {
    byId.remove(held.id(), held);
  }

  @Nullable Held get(long instanceId) {
    return byId.get(instanceId);
  }

  Collection<Held> all() {
    return byId.values();
  }

  int size() {
    return byId.size();
  }
}
