package io.millrace.benchmarks;

import io.millrace.benchmarks.peer.PeerKind;
import io.millrace.benchmarks.workload.Workload;
import io.millrace.benchmarks.workload.Workloads;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The options of the command line.
 *
 * @param quick true for small numbers and one round
 * @param rounds number of rounds, each of which measures every engine and workload once
 * @param report file to which the report is written in addition to standard output
 */
record Options(
    boolean quick,
    int rounds,
    List<PeerKind> peers,
    List<Workload> workloads,
    @Nullable Path report) {

  static final String USAGE =
      """
      usage: script/benchmark [--quick] [--rounds N] [--peers all|NAME,NAME] [--only W1,W2]
                              [--report FILE]
      """;

  static Options parse(String[] args) {
    Options options = new Options(false, 3, PeerKind.USUAL, Workloads.ALL, null);
    for (int i = 0; i < args.length; i++) {
      String name = args[i];
      if (name.equals("--quick")) {
        options = new Options(true, 1, options.peers, options.workloads, options.report);
        continue;
      }
      if (!List.of("--rounds", "--peers", "--only", "--report").contains(name)) {
        throw new IllegalArgumentException("unknown option '" + name + "'\n" + USAGE);
      }
      if (i + 1 == args.length) {
        throw new IllegalArgumentException(name + " needs a value\n" + USAGE);
      }
      options = options.with(name, args[++i]);
    }
    return options;
  }

  private Options with(String name, String value) {
    return switch (name) {
      case "--rounds" -> new Options(quick, number(value), peers, workloads, report);
      case "--peers" -> new Options(quick, rounds, peers(value), workloads, report);
      case "--only" ->
          new Options(
              quick, rounds, peers, choose(value, Workloads.ALL, Workload::id, "workload"), report);
      default -> new Options(quick, rounds, peers, workloads, Path.of(value));
    };
  }

  private static int number(String value) {
    if (!value.matches("[1-9]\\d{0,3}")) {
      throw new IllegalArgumentException(
          "--rounds must be a number from 1 to 9999, but is '" + value + "'");
    }
    return Integer.parseInt(value);
  }

  private static List<PeerKind> peers(String value) {
    List<PeerKind> all = List.of(PeerKind.values());
    return value.equals("all") ? all : choose(value, all, PeerKind::option, "peer");
  }

  private static <T> List<T> choose(
      String value, List<T> all, Function<T, String> name, String what) {
    List<String> wanted = Arrays.asList(value.split(",", -1));
    List<String> known = all.stream().map(name).toList();
    for (String one : wanted) {
      if (known.stream().noneMatch(one::equalsIgnoreCase)) {
        throw new IllegalArgumentException(
            "unknown %s '%s'; known are %s".formatted(what, one, String.join(", ", known)));
      }
    }
    return all.stream()
        .filter(one -> wanted.stream().anyMatch(name.apply(one)::equalsIgnoreCase))
        .collect(Collectors.toUnmodifiableList());
  }

  /** Returns the engines to measure for one workload, in order. */
  Stream<PeerKind> peersOf(Workload workload) {
    return peers.stream().filter(workload::includes);
  }
}
