package io.millrace.verification.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that the protocol keeps its promises in all orders of events within small bounds, and that
 * each of its rules is needed: without the rule TLC finds the promise that breaks. {@code
 * script/model} checks larger bounds.
 */
@Tag("model")
class LeaseModelTest {

  /** Name of the system property for larger bounds. */
  static final String LARGE = "millrace.model.large";

  /** Time limit of one check, of which the longest takes some minutes. */
  private static final Duration LIMIT = Duration.ofMinutes(10);

  private static final Pattern PROMISES =
      Pattern.compile("(?s)INVARIANTS(.*?)PROPERTIES.*?(?=CHECK_DEADLOCK)");

  /**
   * The bounds of a check: the number of faults and losses, and the actions of operators and
   * others.
   */
  record Bounds(
      String config, int nodes, int faults, int losses, String actions, boolean idleBeats) {
    String name() {
      return config
          + "-"
          + nodes
          + "-"
          + faults
          + "-"
          + losses
          + (actions.isEmpty() ? "" : "-" + actions.replace(' ', '-'));
    }
  }

  static Stream<Bounds> bounds() {
    return Boolean.getBoolean(LARGE) ? Stream.concat(small(), large()) : small();
  }

  private static Stream<Bounds> small() {
    return Stream.of(
        new Bounds("Safety", 2, 0, 2, "", false),
        new Bounds("Safety", 2, 0, 1, "cancel", true),
        new Bounds("Liveness", 2, 0, 1, "", false),
        new Bounds("Liveness", 2, 0, 0, "pause", false),
        new Bounds("Safety", 2, 1, 0, "", false),
        new Bounds("Safety", 2, 0, 1, "pause", false),
        new Bounds("Safety", 2, 0, 1, "signal", false));
  }

  private static Stream<Bounds> large() {
    return Stream.of(
        new Bounds("Safety", 1, 1, 1, "", false),
        new Bounds("Safety", 2, 1, 0, "cancel", false),
        new Bounds("Safety", 2, 0, 2, "cancel", true),
        new Bounds("Safety", 2, 0, 0, "pause signal", false),
        new Bounds("Safety", 3, 0, 2, "", false),
        new Bounds("Liveness", 1, 1, 1, "", false),
        new Bounds("Liveness", 2, 0, 2, "", false));
  }

  @ParameterizedTest
  @MethodSource("bounds")
  void theProtocolKeepsItsPromises(Bounds bounds) throws IOException {
    long begin = System.nanoTime();
    TlcRunner.Result result = TlcRunner.check(bounds.name(), config(bounds, Set.of()), LIMIT);
    Duration took = Duration.ofNanos(System.nanoTime() - begin);
    assertThat(result.isPassed()).as(result.output()).isTrue();
    assertThat(result.states()).as(result.output()).isGreaterThan(100);
    System.out.println(
        "Model " + bounds.name() + ": " + result.states() + " distinct states in " + took);
  }

  @ParameterizedTest
  @CsvSource({
    // omitted rule, broken promise, faults, losses, actions
    "executor, HolderWrites, 1, 0, ''",
    "lease, HolderWrites, 0, 3, ''",
    "seq, Linear, 0, 1, ''",
    "lease seq, Linear, 0, 1, ''",
    "executor seq, Linear, 0, 1, ''",
    "readBack, OwnIsKnown, 0, 1, ''",
    "sameEntry, OwnIsKnown, 0, 2, ''",
    "fencedStops, FencedStops, 1, 0, ''",
    "latestClaim, KeepsLatest, 1, 0, ''",
    "raise, LeaseGrows, 0, 0, ''",
    "raiseOnTaking, LeaseGrows, 0, 0, cancel",
    "tickets, GivesBackTheUnknown, 0, 0, ''",
    "deadOnly, RecoversTheDead, 0, 0, ''",
    "knownExecutor, NoneIsForgotten, 2, 1, ''",
    "drainWaits, DrainedOwnsNothing, 1, 0, ''",
    "reconcile, temporal, 0, 1, ''",
  })
  void withoutARuleAPromiseBreaks(
      String leftOut, String promise, int faults, int losses, String actions) throws IOException {
    String config = promise.equals("temporal") ? "Liveness" : "Safety";
    Bounds bounds = new Bounds(config, 2, faults, losses, actions, false);
    Set<String> rules = Set.of(leftOut.split(" ", -1));
    TlcRunner.Result result =
        TlcRunner.check(
            "without-" + leftOut.replace(' ', '-'), only(promise, config(bounds, rules)), LIMIT);
    assertThat(result.violated()).as(result.output()).isEqualTo(promise);
  }

  /**
   * Returns the configuration with one promise alone. If two promises break at the same depth, the
   * two threads of TLC find them in any order.
   */
  private static String only(String promise, String config) {
    if (promise.equals("temporal")) {
      return config;
    }
    Matcher promises = PROMISES.matcher(config);
    assertThat(promises.find()).as(config).isTrue();
    String kind = promises.group(1).contains(promise) ? "INVARIANTS" : "PROPERTIES";
    assertThat(promises.group()).contains(promise);
    return promises.replaceFirst(kind + " " + promise + "\n");
  }

  /** Returns the named configuration with other bounds, without the omitted rules. */
  private static String config(Bounds bounds, Set<String> leftOut) throws IOException {
    Set<String> rules = new TreeSet<>(LeaseModel.read().rules());
    assertThat(rules).containsAll(leftOut);
    rules.removeAll(leftOut);
    String nodes =
        Stream.iterate(1, n -> n + 1)
            .limit(bounds.nodes)
            .map(n -> "n" + n)
            .collect(Collectors.joining(", "));
    Set<String> actions =
        Arrays.stream(bounds.actions.split(" ", -1))
            .filter(action -> !action.isEmpty())
            .collect(Collectors.toCollection(TreeSet::new));
    return Files.readString(LeaseModel.FOLDER.resolve(bounds.config + ".cfg"))
        .replaceFirst("Nodes = .*", "Nodes = {" + nodes + "}")
        .replaceFirst("Faults = .*", "Faults = " + bounds.faults)
        .replaceFirst("Losses = .*", "Losses = " + bounds.losses)
        .replaceFirst("Actions = .*", "Actions = " + texts(actions))
        .replaceFirst("IdleBeats = .*", "IdleBeats = " + (bounds.idleBeats ? "TRUE" : "FALSE"))
        .replaceFirst("Rules <- .*", "Rules = " + texts(rules));
  }

  private static String texts(Set<String> values) {
    return values.stream()
        .collect(Collectors.joining("\", \"", "{\"", "\"}"))
        .replace("{\"\"}", "{}");
  }
}
