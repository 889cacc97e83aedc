package io.millrace.server.config;

import com.typesafe.config.ConfigObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The sections of a file that belong to other programs. Only a file with one of the sections that
 * other programs share with Millrace may have them. In any other file, an unknown section is a
 * mistake.
 */
final class ForeignSections {

  private static final Set<String> SHARED = Set.of("workflowDetails", "assessmentReport");

  /** Number of different letters up to which a name counts as a misspelled section of Millrace. */
  private static final int TYPO = 2;

  private ForeignSections() {}

  /** Returns the names of the top-level sections of other programs, in order. */
  static List<String> names(ConfigObject root) {
    if (root.keySet().stream().map(ForeignSections::section).noneMatch(SHARED::contains)) {
      return List.of();
    }
    Set<String> ours =
        ConfigKeys.all().stream().map(key -> section(key.path())).collect(Collectors.toSet());
    List<String> names = new ArrayList<>();
    for (String name : new TreeSet<>(root.keySet())) {
      String nearest = NearestName.to(section(name), ours);
      if (NearestName.distance(section(name), nearest) > TYPO) {
        names.add(name);
      }
    }
    return names;
  }

  private static String section(String path) {
    int dot = path.indexOf('.');
    return dot < 0 ? path : path.substring(0, dot);
  }

  static ConfigObject without(ConfigObject root, List<String> names) {
    ConfigObject rest = root;
    for (String name : names) {
      rest = rest.withoutKey(name);
    }
    return rest;
  }

  static List<String> notes(String file, List<String> names) {
    return names.isEmpty()
        ? List.of()
        : List.of(
            file + " has sections that are not Millrace's, and are passed over: " + names + ".");
  }
}
