package io.millrace.verification.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import io.millrace.verification.architecture.Sources.Budget;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every rule of {@link ArchitectureTest} reports what is planted against it. */
class PlantedViolationsTest {

  private static final String ROOT = "io.millrace.verification.architecture.planted";
  private static final Rules RULES = new Rules(ROOT);
  private static final JavaClasses PLANTED = new ClassFileImporter().importPackages(ROOT);

  @Test
  void aUseOfAHigherFloorIsReported() {
    assertThat(reports(RULES.floors()))
        .anyMatch(r -> r.contains("instance.ReachesUp") && r.contains("dispatch.Work"))
        .anyMatch(r -> r.contains("store.AlsoReachesUp") && r.contains("dispatch.Work"));
  }

  @Test
  void aPackageWithoutAFloorIsReported() {
    assertThat(RULES.packagesWithoutFloor(PLANTED))
        .containsExactlyInAnyOrder(ROOT + ".bare", ROOT + ".rabbitmq");
  }

  @Test
  void dispatchThatKnowsTheDatabaseIsReported() {
    assertThat(reports(RULES.apart()))
        .anyMatch(r -> r.contains("dispatch.KnowsSql") && r.contains("sql.Leaks"))
        .anyMatch(r -> r.contains("sql.Leaks") && r.contains("dispatch.Work"))
        .anyMatch(r -> r.contains("observe.KnowsDispatch") && r.contains("dispatch.Work"))
        .anyMatch(r -> r.contains("sequence.KnowsTheWorker") && r.contains("dispatch.Work"))
        .anyMatch(r -> r.contains("continuous.KnowsTheRunner") && r.contains("dispatch.Work"));
  }

  @Test
  void aTransportThatKnowsTheInsideOrIsKnownIsReported() {
    assertThat(reports(RULES.transport("rabbitmq", "com.rabbitmq.client..")))
        .anyMatch(r -> r.contains("rabbitmq.KnowsTheInside") && r.contains("dispatch.Work"))
        .anyMatch(r -> r.contains("bare.KnowsTransport") && r.contains("rabbitmq.KnowsTheInside"));
  }

  @Test
  void aCircleThroughTheRootIsReported() {
    assertThat(reports(List.of(Rules.noCycles())))
        .anyMatch(r -> r.contains("planted.Roof") && r.contains("Work"));
  }

  @Test
  void aUseOfTheRoofIsReported() {
    assertThat(reports(List.of(RULES.roofOnly())))
        .anyMatch(r -> r.contains("dispatch.Work") && r.contains("planted.Roof"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Instant.now()",
        "System.currentTimeMillis()",
        "System.nanoTime()",
        "LocalDateTime.now(",
        "Thread.sleep(",
        "TimeUnit.sleep(",
        "Math.random()",
        "UUID.randomUUID()",
        "ThreadLocalRandom.current()",
        "Thread.<init>(",
        "Thread.ofVirtual()",
        "Thread.ofPlatform()",
        "Executors.newCachedThreadPool()",
        "Random.<init>()",
        "Timer.<init>()"
      })
  void everyOwnClockAndThreadIsReported(String call) {
    assertThat(reports(List.of(RULES.oneClock(Set.of()))))
        .anyMatch(r -> r.contains("dispatch.OwnClock") && r.contains(call));
  }

  @Test
  void aMethodReferenceToTheClockIsReported() {
    assertThat(reports(List.of(RULES.oneClock(Set.of()))))
        .anyMatch(r -> r.contains("dispatch.OwnClock.reference()") && r.contains("nanoTime"));
  }

  @Test
  void theClocksOwnPackageAndNamedExceptionsAreLeftAlone() {
    assertThat(reports(List.of(RULES.oneClock(Set.of()))))
        .noneMatch(r -> r.contains("lifecycle.Clockwork"));
    assertThat(reports(List.of(RULES.oneClock(Set.of(ROOT + ".dispatch.OwnClock"))))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "java.sql.Statement",
        "java.sql.ResultSet",
        "java.sql.DriverManager",
        "javax.sql.DataSource"
      })
  void sqlElsewhereIsReported(String type) {
    assertThat(reports(RULES.sqlInOnePlace()))
        .anyMatch(r -> r.contains("dispatch.OwnSql") && r.contains(type));
  }

  @Test
  void sqlInItsPlaceIsLeftAlone() {
    assertThat(reports(RULES.sqlInOnePlace())).noneMatch(r -> r.contains("store.sql.Leaks"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "System.exit(",
        "printStackTrace()",
        "System.out",
        "System.err",
        "java.util.logging",
        "ObjectInputStream"
      })
  void badMannersAreReported(String what) {
    assertThat(reports(Rules.goodManners()))
        .anyMatch(r -> r.contains("dispatch.BadManners") && r.contains(what));
  }

  @Test
  void aNewPublicTypeIsReported() {
    assertThat(RULES.publicTypes(PLANTED, "store.sql")).containsExactly("Leaks", "Leaks.Inner");
  }

  @Test
  void aWideRecordIsReported() {
    assertThat(Rules.wideRecords(PLANTED, Budget.OURS.constructorParameters()))
        .containsExactly(ROOT + ".bare.Wide");
  }

  @Test
  void filesMethodsAndConstructorsOverTheBudgetAreReported(@TempDir Path folder)
      throws IOException {
    String longMethod = "  void longMethod() {\n" + "    run();\n".repeat(59) + "  }\n";
    String fitting = "  void fitting() {\n" + "    run();\n".repeat(58) + "  }\n";
    String constructor = "  Sample(int a, int b, int c, int d, int e, int f, int g, int h) {}\n";
    String padding = "  // a line\n".repeat(380);
    Files.writeString(
        folder.resolve("Sample.java"),
        "class Sample {\n" + longMethod + fitting + constructor + padding + "}\n");
    assertThat(Sources.below(folder).overBudget(Budget.OURS))
        .containsExactly(
            "Sample.java has 504 lines",
            "Sample.java:2 longMethod has 61 lines",
            "Sample.java:123 <init> has 8 parameters");
    assertThat(Sources.below(folder).foldersWithoutPackageInfo()).containsExactly(folder);
  }

  private static List<String> reports(List<ArchRule> rules) {
    return rules.stream()
        .flatMap(rule -> rule.evaluate(PLANTED).getFailureReport().getDetails().stream())
        .toList();
  }
}
