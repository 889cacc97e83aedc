package io.millrace.verification.model;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The declarations in the text of the model.
 *
 * @param actions actions that its next step may be
 * @param methods methods of actions, according to the tables at the heads of the modules
 * @param world actions that the tables assign to the environment
 * @param rules rules that a mutant may omit
 */
record LeaseModel(
    Set<String> actions, Map<String, String> methods, Set<String> world, Set<String> rules) {

  static final Path FOLDER = Path.of("model");

  private static final Pattern METHOD = Pattern.compile("(?m)^  (\\w+) +(io\\.millrace\\S+#\\w+)$");
  private static final Pattern WORLD = Pattern.compile("(?m)^  (\\w+) +the world: ");
  private static final Pattern NEXT = Pattern.compile("(?ms)^Next ==$(.*?)^$");
  private static final Pattern ACTION = Pattern.compile("\\\\/ (?:\\\\E .*? : )?([a-z]\\w*)");
  private static final Pattern RULES = Pattern.compile("(?ms)^AllRules == \\{(.*?)^}");
  private static final Pattern RULE = Pattern.compile("\"(\\w+)\"");

  /** Returns the modules of the model, all of which TLC needs. */
  static List<Path> modules() throws IOException {
    try (Stream<Path> files = Files.list(FOLDER)) {
      return files.filter(file -> file.toString().endsWith(".tla")).sorted().toList();
    }
  }

  static LeaseModel read() throws IOException {
    StringBuilder modules = new StringBuilder();
    for (Path module : modules()) {
      modules.append(Files.readString(module));
    }
    String text = modules.toString();
    Map<String, String> methods =
        METHOD
            .matcher(text)
            .results()
            .collect(Collectors.toMap(m -> m.group(1), m -> m.group(2), (a, b) -> a, TreeMap::new));
    return new LeaseModel(
        all(ACTION, only(NEXT, text)), methods, all(WORLD, text), all(RULE, only(RULES, text)));
  }

  private static String only(Pattern part, String text) {
    return part.matcher(text)
        .results()
        .map(found -> found.group(1))
        .findFirst()
        .orElseThrow(() -> new AssertionError("The model has no part that looks like " + part));
  }

  private static Set<String> all(Pattern pattern, String text) {
    return pattern
        .matcher(text)
        .results()
        .map((MatchResult found) -> found.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
