package io.millrace.verification.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.verification.architecture.GateRules.Source;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that the tests in script/test follow their rules, and that each rule finds a planted
 * violation.
 */
class GateRulesTest {

  /** Tests that are exempt from a rule, with the reason. */
  private static final Map<String, String> ALLOWED =
      Map.of(
          "TwoProcessesTest", "two processes on one PostgreSQL, whatever time they take",
          "SimulationSmokeTest", "simulated time, in a JVM that has one processor for its threads",
          "ScriptsAgainstRedisTest", "fixed seeds on a Redis of its own",
          "SimAgainstRedisTest", "fixed seeds on a Redis of its own",
          "JavaScriptJsonInteropTest", "one Node.js that only computes",
          "CheckerTest", "journals written by hand, of workflows that processes run elsewhere",
          "DatabaseReopenTest", "the number of a process that has ended",
          "ContinuousOwnershipTest", "a downtime by the clock of a manual engine");

  private static final List<Source> ALL = GateRules.sources();

  @Test
  void whatTheGateRunsHoldsOnEveryMachine() {
    assertThat(GateRules.gate(ALL, ALLOWED.keySet()))
        .hasSizeGreaterThan(300)
        .extracting(Source::name)
        .contains("GateRulesTest", "JavaSources", "TestDatabase");
    assertThat(GateRules.faults(ALL, ALLOWED.keySet())).isEmpty();
  }

  @Test
  void everyExceptionIsStillNeeded() {
    for (String name : ALLOWED.keySet()) {
      Predicate<Source> itself = source -> source.name().equals(name);
      List<Source> alone = ALL.stream().filter(itself.or(s -> !s.isTest())).toList();
      assertThat(GateRules.faults(alone, Set.of())).as(name + " needs its exception").isNotEmpty();
    }
    assertThat(ALL)
        .filteredOn(source -> source.code().matches("(?s).*\\b(?:sleep|parkNanos)\\(.*"))
        .extracting(Source::name)
        .containsAll(GateRules.POLLERS);
  }

  /** A class with another name would run in a check of everything, but not in that of a module. */
  @Test
  void everyClassWithTestsIsNamedATest() {
    assertThat(ALL)
        .filteredOn(source -> source.code().matches("(?s).*@(?:Test|ParameterizedTest)\\b.*"))
        .filteredOn(source -> !source.code().contains("abstract class"))
        .allMatch(Source::isTest);
  }

  @Test
  void everyTagIsAPartOfTheProof() {
    String proof = GateRules.only("(?m)^PARTS=\"(.*)\"$", GateRules.TOP.resolve("script/prove"));
    assertThat(GateRules.PARTS)
        .contains("races", "planted")
        .isSubsetOf(("planted " + proof).split(" ", -1));
    assertThat(ALL.stream().flatMap(source -> source.tags().stream())).containsAll(GateRules.PARTS);
    assertThat(ALL.stream().map(Source::tags).filter(tags -> !tags.contains("planted")))
        .allMatch(GateRules.PARTS::containsAll);
    assertThat(Source.of("ATest", "@Tag(\"slow\") @Tag" + "(A.TAG)").tags())
        .containsExactly("slow", "A.TAG");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "new ProcessBuilder(\"true\").start();",
        "new JavaCommand(\"-version\");",
        "ChildJvm jvm;",
        "RedisProcess.start();",
        "RabbitServer.in(folder);",
        "PostgresServer.create(folder, 10);",
        "new Random().nextInt();",
        "new SplittableRandom();",
        "Math.random();",
        "ThreadLocalRandom.current();",
        "Thread.onSpinWait();",
        "Thread.sleep(10);",
        "Thread.yield();",
        "LockSupport.parkNanos(10_000_000);",
        "TimeUnit.MILLISECONDS.sleep(10);",
        "SECONDS.sleep(1);",
        "import static java.lang.Thread.sleep;",
        "latch.await(10, TimeUnit.SECONDS);",
        "queue.poll(500L, MILLISECONDS);",
        "result.get(\n        1, TimeUnit.MINUTES);",
        "client.await(id(), Duration.ofMinutes(1)).status();",
        "process.awaitEnd(Duration.ofSeconds(20));",
        "assertTimeoutPreemptively(limit, () -> run());",
        "assertThat(took).isLessThanOrEqualTo(Duration.ofSeconds(20));",
        "settings\n        .lease(Duration.ofSeconds(29), renewal);",
        "s -> s.lease(Duration.ofMillis(500), renewal);",
        "assertThat(took).isLessThan(Duration.ofSeconds(20));",
        "@Timeout(60)",
        "@Execution(ExecutionMode.CONCURRENT)",
        "@Execution(CONCURRENT)",
        "Instant.now().truncatedTo(DAYS);",
        "LocalDate.now(ZoneOffset.UTC);",
        "ZonedDateTime.now();",
        "assertThat(due - System.currentTimeMillis()).isPositive();",
        "char quote = '\"'; Thread.sleep(1); String text = \"\\\"\";",
      })
  void whatDependsOnTheMachineIsRefused(String line) {
    String body = "  void test() {\n    " + line + "\n  }\n";
    Source gate = Source.of("ATest", "class ATest {\n" + body + "}\n");
    assertThat(GateRules.faults(List.of(gate), Set.of())).hasSize(1);
    assertThat(GateRules.faults(List.of(gate), Set.of("ATest"))).isEmpty();
    Source proof = Source.of("ATest", "@Tag(\"races\")\nclass ATest {\n" + body + "}\n");
    assertThat(GateRules.faults(List.of(proof), Set.of())).isEmpty();
    Source partly = Source.of("ATest", "class ATest {\n  @Tag(\"kills\")\n" + body + "}\n");
    assertThat(GateRules.faults(List.of(partly), Set.of())).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "// Thread.sleep(10) is no way to wait",
        "String text = \"Thread.sleep(10)\";",
        "new Random(1);",
        "settings.lease(Duration.ofSeconds(30), renewal);",
        "ManualEngine.defaultSettings()\n        .lease(Duration.ofSeconds(10), renewal);",
        "LocalDate.now(clock);",
        "latch.await(Patience.LIMIT.toMillis(), TimeUnit.MILLISECONDS);",
        "client.await(id, Patience.LIMIT); Duration.ofSeconds(1);",
        "frames.await(0, Duration.ZERO, 0);",
        "assertThat(jobs.await(id, Duration.ofMillis(30))).isFalse();",
        "WorkflowDefinition.of(type).await(\"paid\", \"pay\", Duration.ofMinutes(1), next);",
      })
  void whatDoesNotIsLeftAlone(String line) {
    assertThat(GateRules.faults(List.of(Source.of("ATest", line)), Set.of())).isEmpty();
  }

  @Test
  void onlyProcessesMayBeStartedBesideAMethodThatIsLeftToTheProof() {
    String tagged = "class ATest {\n  @Tag(\"kills\")\n  void test() {\n  }\n\n";
    Source starts = Source.of("ATest", tagged + "  new ProcessBuilder();\n}\n");
    assertThat(GateRules.faults(List.of(starts), Set.of())).isEmpty();
    Source spins = Source.of("ATest", tagged + "  Thread.onSpinWait();\n}\n");
    assertThat(GateRules.faults(List.of(spins), Set.of())).hasSize(1);
  }

  @Test
  void helpersAreOfTheGateIfATestOfItUsesThem() {
    Source helper = Source.of("Helper", "package a;\nclass Helper {\n  Thread.sleep(1);\n}\n");
    Source near = Source.of("NearTest", "package a;\nnew Helper();");
    Source between = Source.of("Between", "package b;\nimport static a.Helper.help;");
    Source far = Source.of("FarTest", "package c;\nimport b.Between;");
    Source stranger = Source.of("StrangerTest", "package c;\nnew Helper();");
    Source proof = Source.of("ProofTest", "package a;\n@Tag(\"kills\")\nnew Helper();");
    assertThat(GateRules.faults(List.of(helper, near), Set.of())).hasSize(1);
    assertThat(GateRules.faults(List.of(helper, between, far), Set.of())).hasSize(1);
    assertThat(GateRules.faults(List.of(helper, stranger, proof), Set.of())).isEmpty();
  }
}
