package io.millrace;

import io.millrace.continuous.Cluster;
import io.millrace.continuous.Continuous;
import io.millrace.extension.Data;
import io.millrace.extension.EngineExtension;
import io.millrace.sequence.Sequences;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The features that were added to an engine, each once, with those that they need. */
final class FeatureSet {

  /** All features, which run nothing by themselves. */
  private static final List<EngineExtension> ALL =
      List.of(Data.create(), Sequences.idle(), Continuous.of(), Cluster.idle());

  private final Map<String, EngineExtension> added = new LinkedHashMap<>();
  private boolean all = true;

  /** Adds a feature, or joins it with the one of its name. */
  void add(EngineExtension extension) {
    added.merge(extension.name(), extension, EngineExtension::plus);
  }

  /** Leaves out the features that were not added and that none of the added ones needs. */
  void onlyAdded() {
    all = false;
  }

  /** Returns the features, each after those that it needs. */
  List<EngineExtension> resolved() {
    Map<String, EngineExtension> known = new LinkedHashMap<>();
    if (all) {
      ALL.forEach(extension -> known.put(extension.name(), extension));
    }
    added.forEach((name, extension) -> known.merge(name, extension, EngineExtension::plus));
    Map<String, EngineExtension> resolved = new LinkedHashMap<>();
    List.copyOf(known.values()).forEach(extension -> resolve(extension, known, resolved));
    return new ArrayList<>(resolved.values());
  }

  private static void resolve(
      EngineExtension extension,
      Map<String, EngineExtension> known,
      Map<String, EngineExtension> resolved) {
    if (resolved.containsKey(extension.name())) {
      return;
    }
    for (EngineExtension needed : extension.needs()) {
      resolve(known.getOrDefault(needed.name(), needed), known, resolved);
    }
    resolved.put(extension.name(), extension);
  }
}
