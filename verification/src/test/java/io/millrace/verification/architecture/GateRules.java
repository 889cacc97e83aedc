package io.millrace.verification.architecture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The rules of tests in script/test, which must pass at any hour and on any machine. A test that
 * depends on either has the tag of a part of script/prove.
 */
final class GateRules {

  /**
   * An action that is forbidden for every test in script/test, and for the helpers that it uses.
   */
  private enum Rule {
    STARTS_A_PROCESS(
        "\\b(?:ProcessBuilder|JavaCommand|ChildJvm|RedisProcess|RabbitServer)\\b"
            + "|\\bPostgresServer\\.create\\b"),
    DRAWS_LOTS("\\bnew (?:Splittable)?Random\\(\\)|\\bThreadLocalRandom\\b|\\bMath\\.random\\b"),
    WAITS_FOR_NO_EVENT(
        "\\bThread(?:\\.|::)(?:onSpinWait|sleep|yield)\\b|\\bLockSupport\\.park(?:Nanos|Until)\\b"
            + "|\\b(?:(?:NANO|MICRO|MILLI)?SECONDS|MINUTES)(?:\\.|::)sleep\\b"),
    /** A short lease on a real clock. */
    HAS_A_SHORT_LEASE(
        "\\.(?<!\\bManualEngine\\.defaultSettings\\(\\)\\.)"
            + "lease\\(Duration\\.of(?:Millis\\(|Seconds\\([12]?\\d\\))"),
    /** A limit on the real clock; {@code Patience} has the only one. */
    LIMITS_A_TIME(
        "@Timeout\\b|\\bassertTimeout(?:Preemptively)?\\b|\\bis(?:LessThan|Shorter)\\w*\\(Duration\\b"
            + "|\\b\\d[\\d_]*L?,\\s*(?:TimeUnit\\.)?(?:(?:NANO|MICRO|MILLI)?SECONDS|MINUTES)\\b"
            + "|\\.await\\w*\\((?!\\s*\"\")[^;]*?\\bDuration\\.of(?:Seconds|Minutes(?=\\([12]\\)))\\("),
    RUNS_BESIDE_OTHERS("@Execution\\((?:ExecutionMode\\.)?CONCURRENT\\b"),
    READS_THE_DATE(
        "\\b(?:Instant|Local(?:Date|Time|DateTime)|(?:Zoned|Offset)DateTime|Year(?:Month)?)"
            + "(?:::now\\b|\\.now\\((?:\\)|Zone))|\\bcurrentTimeMillis\\b");

    private final Pattern pattern;

    Rule(String pattern) {
      this.pattern = Pattern.compile(pattern);
    }
  }

  static final Path TOP = JavaSources.top();

  /** Classes that look for a condition again and again, with pauses, as long as Patience says. */
  static final Set<String> POLLERS =
      Set.of("ConditionPoller", "Polling", "ServerConditions", "TestBroker", "GitSourceTest");

  /** The tags that script/test excludes. */
  static final Set<String> PARTS =
      Set.of(only("<tests\\.out>(.*)</", TOP.resolve("pom.xml")).split(" \\| ", -1));

  private static final String PROOF_TAG = "@Tag\\(\"(?:" + String.join("|", PARTS) + ")\"\\)";
  private static final Pattern PROOF_CLASS = Pattern.compile("(?m)^" + PROOF_TAG);
  private static final Pattern PROOF_METHOD =
      Pattern.compile("(?ms)^( +)" + PROOF_TAG + ".*?^\\1\\}$");
  private static final Pattern TAG = Pattern.compile("@Tag\\(\"?([^\")]*)\"?\\)");
  private static final Pattern PACKAGE = Pattern.compile("(?m)^package ([\\w.]+);");
  private static final Pattern IMPORT = Pattern.compile("\\bimport (?:static )?([\\w.]+)");
  private static final Pattern WORD = Pattern.compile("\\w+");

  /** Comments, string literals and character literals. */
  private static final Pattern NO_CODE =
      Pattern.compile(
          "//[^\\n]*|/\\*(?s:.*?)\\*/|\"\"\"(?s:.*?)\"\"\""
              + "|\"[^\"\\\\\\n]*(?:\\\\.[^\"\\\\\\n]*)*\"|'(?:\\\\[^\\n]+?|[^'\\\\\\n])'");

  /**
   * A source file.
   *
   * @param code its code outside of methods that only script/prove runs
   * @param isPartlyProof true if it has such methods, whose helpers may start processes
   */
  record Source(
      String name,
      String folder,
      List<String> tags,
      String code,
      boolean isProof,
      boolean isPartlyProof) {

    static Source of(String name, String text) {
      Matcher folder = PACKAGE.matcher(text);
      Matcher proof = PROOF_METHOD.matcher(text);
      String code = NO_CODE.matcher(proof.replaceAll("")).replaceAll("\"\"");
      return new Source(
          name,
          folder.find() ? folder.group(1) : "",
          TAG.matcher(text).results().map(tag -> tag.group(1)).toList(),
          code.replaceAll("\\s+\\.", "."),
          PROOF_CLASS.matcher(text).find(),
          proof.reset().find());
    }

    boolean isTest() {
      return name.endsWith("Test");
    }

    /**
     * True if the class is a helper that starts processes; tests that use it are checked by its
     * name.
     */
    boolean startsProcesses() {
      return Rule.STARTS_A_PROCESS.pattern.matcher(name).matches();
    }

    String type() {
      return folder + "." + name;
    }

    /**
     * Returns the types that it may use: all types of its package that it names, and its imports.
     */
    Stream<String> uses() {
      Stream<String> near = WORD.matcher(code).results().map(word -> folder + "." + word.group());
      Stream<String> far =
          IMPORT
              .matcher(code)
              .results()
              .map(type -> type.group(1))
              .flatMap(type -> Stream.of(type, type.replaceFirst("\\.\\w+$", "")));
      return Stream.concat(near, far);
    }

    Stream<String> faults() {
      return Arrays.stream(Rule.values())
          .filter(rule -> rule != Rule.STARTS_A_PROCESS || !isPartlyProof)
          .filter(rule -> rule != Rule.WAITS_FOR_NO_EVENT || !POLLERS.contains(name))
          .flatMap(rule ->
              rule.pattern
                  .matcher(code)
                  .results()
                  .map(found -> type() + " " + rule + ": " + found.group()));
    }
  }

  private GateRules() {}

  static List<Source> sources() {
    try (Stream<Path> modules = Files.list(TOP)) {
      Path[] roots =
          modules
              .map(module ->
                  module.resolve(module.endsWith("fixtures") ? "src/main/java" : "src/test/java"))
              .filter(Files::isDirectory)
              .toArray(Path[]::new);
      return JavaSources.below(roots).files().stream()
          .map(file -> Source.of(file.getFileName().toString().replace(".java", ""), read(file)))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static String only(String pattern, Path file) {
    Matcher found = Pattern.compile(pattern).matcher(read(file));
    if (!found.find()) {
      throw new IllegalStateException("Nothing in " + file + " looks like " + pattern);
    }
    return found.group(1);
  }

  /**
   * Returns the tests that script/test runs, and their helpers, without those that are allowed
   * more.
   */
  static Set<Source> gate(Collection<Source> all, Set<String> allowed) {
    Map<String, Source> helpers = new HashMap<>();
    Deque<Source> open = new ArrayDeque<>();
    for (Source source : all) {
      if (source.isTest() && !source.isProof()) {
        open.add(source);
      } else if (!source.isTest() && !source.startsProcesses()) {
        helpers.put(source.type(), source);
      }
    }
    Set<Source> gate = new LinkedHashSet<>();
    while (!open.isEmpty()) {
      Source source = open.remove();
      if (!allowed.contains(source.name()) && gate.add(source)) {
        source.uses().map(helpers::get).filter(Objects::nonNull).forEach(open::add);
      }
    }
    return gate;
  }

  static List<String> faults(Collection<Source> all, Set<String> allowed) {
    return gate(all, allowed).stream().flatMap(Source::faults).sorted().toList();
  }
}
