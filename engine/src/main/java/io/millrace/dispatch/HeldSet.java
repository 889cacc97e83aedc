package io.millrace.dispatch;

import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Everything this engine holds, by instance. */
final class HeldSet {

  private final Map<Long, Held> byId = new ConcurrentHashMap<>();

  /**
   * Adds a newly claimed instance; an older claim of the same instance is thereby known to be lost.
   */
  void add(Held held, boolean interrupt) {
    Held older = byId.put(held.id(), held);
    if (older != null) {
      older.drop("the instance was claimed anew", interrupt);
    }
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
