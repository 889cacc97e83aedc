package io.millrace.server.events;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A set of changes that is gathered until it is drained. Bounded; thread-safe. */
final class ChangeSet {

  private final Set<Long> instances = new LinkedHashSet<>();
  private final Set<String> types = new TreeSet<>();
  private final Map<String, List<Long>> restricted = new TreeMap<>();
  private boolean more;
  private boolean executors;
  private boolean sequences;
  private boolean credentials;

  synchronized void instance(long id) {
    if (!more) {
      instances.add(id);
      if (instances.size() > ChangeSummary.MAX) {
        instances.clear();
        more = true;
      }
    }
  }

  /** Adds an instance of a type that not every role may read. */
  synchronized void restricted(String type, long id) {
    List<Long> ids = restricted.computeIfAbsent(type, t -> new ArrayList<>());
    if (ids.size() < ChangeSummary.MAX && !ids.contains(id)) {
      ids.add(id);
    } else if (!ids.contains(id)) {
      manyInstances();
    }
  }

  synchronized void type(String type) {
    if (types.size() < ChangeSummary.MAX) {
      types.add(type);
    }
  }

  /** Records that too many instances have changed to name them. */
  synchronized void manyInstances() {
    instances.clear();
    more = true;
  }

  synchronized void executors() {
    executors = true;
  }

  synchronized void sequences() {
    sequences = true;
  }

  synchronized void credentials() {
    credentials = true;
  }

  synchronized void addAll(ChangeSummary changeSummary) {
    changeSummary.instances().forEach(this::instance);
    changeSummary.types().forEach(this::type);
    changeSummary.restricted().forEach((type, ids) -> ids.forEach(id -> restricted(type, id)));
    if (changeSummary.more()) {
      manyInstances();
    }
    executors |= changeSummary.executors();
    sequences |= changeSummary.sequences();
    credentials |= changeSummary.credentials();
  }

  /** Returns the gathered changes and clears the set; null if there are none. */
  synchronized @Nullable ChangeSummary drain() {
    if (instances.isEmpty()
        && types.isEmpty()
        && restricted.isEmpty()
        && !more
        && !executors
        && !sequences
        && !credentials) {
      return null;
    }
    ChangeSummary taken =
        new ChangeSummary(
            List.copyOf(instances),
            List.copyOf(types),
            more,
            executors,
            sequences,
            credentials,
            Map.copyOf(restricted));
    instances.clear();
    types.clear();
    restricted.clear();
    more = false;
    executors = false;
    sequences = false;
    credentials = false;
    return taken;
  }
}
