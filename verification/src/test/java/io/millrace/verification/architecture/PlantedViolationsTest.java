package io.millrace.verification.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that every rule of {@link ArchitectureTest} reports its planted violation. */
class PlantedViolationsTest {

  private static final String ROOT = "io.millrace.verification.architecture.planted";
  private static final ArchitectureRules RULES = new ArchitectureRules(ROOT);
  private static final JavaClasses PLANTED = new ClassFileImporter().importPackages(ROOT);

  @Test
  void aUseOfAHigherFloorIsReported() {
    assertThat(reports(RULES.layers()))
        .anyMatch(r -> r.contains("instance.ReachesUp") && r.contains("dispatch.KnowsTheRoot"))
        .anyMatch(r -> r.contains("store.AlsoReachesUp") && r.contains("dispatch.KnowsTheRoot"))
        .anyMatch(
            r -> r.contains("extension.KnowsAFeature") && r.contains("sequence.KnowsTheWorker"));
  }

  @Test
  void aPackageWithoutAFloorIsReported() {
    assertThat(RULES.packagesWithoutLayer(PLANTED))
        .containsExactlyInAnyOrder(ROOT + ".bare", ROOT + ".rabbitmq");
  }

  @Test
  void dispatchThatKnowsTheDatabaseIsReported() {
    assertThat(reports(RULES.independentPackages()))
        .anyMatch(r -> r.contains("dispatch.KnowsSql") && r.contains("sql.UnlistedPublicType"))
        .anyMatch(r -> r.contains("sql.UnlistedPublicType") && r.contains("dispatch.KnowsTheRoot"))
        .anyMatch(
            r -> r.contains("extension.KnowsAFeature") && r.contains("sql.UnlistedPublicType"))
        .anyMatch(r -> r.contains("observe.KnowsDispatch") && r.contains("dispatch.KnowsTheRoot"))
        .anyMatch(r -> r.contains("sequence.KnowsTheWorker") && r.contains("dispatch.KnowsTheRoot"))
        .anyMatch(
            r -> r.contains("continuous.KnowsTheRunner") && r.contains("dispatch.KnowsTheRoot"));
  }

  @Test
  void aTransportThatKnowsTheInsideOrIsKnownIsReported() {
    assertThat(reports(RULES.transport("rabbitmq", "com.rabbitmq.client..")))
        .anyMatch(
            r -> r.contains("rabbitmq.KnowsEngineInternals") && r.contains("dispatch.KnowsTheRoot"))
        .anyMatch(
            r -> r.contains("bare.KnowsTransport") && r.contains("rabbitmq.KnowsEngineInternals"));
  }

  @Test
  void aCircleThroughTheRootIsReported() {
    assertThat(reports(List.of(ArchitectureRules.noCycles())))
        .anyMatch(r -> r.contains("planted.PlantedRoot") && r.contains("KnowsTheRoot"));
  }

  @Test
  void aUseOfTheRoofIsReported() {
    assertThat(reports(List.of(RULES.rootPackageOnly())))
        .anyMatch(r -> r.contains("dispatch.KnowsTheRoot") && r.contains("planted.PlantedRoot"));
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
    assertThat(reports(List.of(RULES.singleTimeSource(Set.of()))))
        .anyMatch(r -> r.contains("dispatch.OwnClock") && r.contains(call));
  }

  @Test
  void aMethodReferenceToTheClockIsReported() {
    assertThat(reports(List.of(RULES.singleTimeSource(Set.of()))))
        .anyMatch(r -> r.contains("dispatch.OwnClock.reference()") && r.contains("nanoTime"));
  }

  @Test
  void theClocksOwnPackageAndNamedExceptionsAreLeftAlone() {
    assertThat(reports(List.of(RULES.singleTimeSource(Set.of()))))
        .noneMatch(r -> r.contains("lifecycle.AllowedClock"));
    assertThat(reports(List.of(RULES.singleTimeSource(Set.of(ROOT + ".dispatch.OwnClock")))))
        .isEmpty();
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
    assertThat(reports(RULES.sqlInOnePlace()))
        .noneMatch(r -> r.contains("store.sql.UnlistedPublicType"));
  }

  @Test
  void aUseOfADatabasePastTheDialectIsReported() {
    assertThat(reports(List.of(RULES.databasesBehindTheDialect(Set.of()))))
        .anyMatch(r -> r.contains("sql.KnowsPostgres") && r.contains("sql.PostgresStatement"));
    assertThat(reports(List.of(RULES.databasesBehindTheDialect(Set.of("KnowsPostgres")))))
        .isEmpty();
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
    assertThat(reports(ArchitectureRules.forbiddenCalls()))
        .anyMatch(r -> r.contains("dispatch.ForbiddenCalls") && r.contains(what));
  }

  @Test
  void aNewPublicTypeIsReported() {
    assertThat(RULES.publicTypes(PLANTED, "store.sql"))
        .containsExactly("UnlistedPublicType", "UnlistedPublicType.Inner");
  }

  @Test
  void aTypeOfTheStoreInAPublicMethodOfTheRootIsReported() {
    assertThat(RULES.storeTypesInRoot(PLANTED))
        .containsExactlyInAnyOrder(
            "ShowsAStoreType.find: " + ROOT + ".store.sql.UnlistedPublicType$Inner",
            "ShowsAStoreType.save: " + ROOT + ".store.sql.UnlistedPublicType");
  }

  @Test
  void foldersWithoutADescriptionAndNamesOfSeveralClassesAreReported(@TempDir Path folder)
      throws IOException {
    Path below = Files.createDirectory(folder.resolve("below"));
    Files.writeString(folder.resolve("Sample.java"), "class Sample {}\n");
    Files.writeString(folder.resolve("Other.java"), "class Other {}\n");
    Files.writeString(below.resolve("Sample.java"), "class Sample {}\n");
    Files.writeString(below.resolve("package-info.java"), "/** Samples. */\npackage below;\n");

    JavaSources sources = JavaSources.below(folder);
    assertThat(sources.foldersWithoutPackageInfo()).containsExactly(folder);
    assertThat(sources.namesOfSeveral()).containsExactly("Sample.java");
  }

  @Test
  void aPackageInTwoJarsAndAJarWithoutNameAreReported(@TempDir Path folder) throws IOException {
    for (String file : List.of("a/x/y/A.java", "b/x/y/B.java", "b/x/C.java")) {
      Path source = folder.resolve(file.replaceFirst("/", "/src/main/java/"));
      Files.createDirectories(source.getParent());
      Files.writeString(source, "class Sample {}\n");
    }
    Files.writeString(
        folder.resolve("a/pom.xml"), "<millrace.module>io.millrace.a</millrace.module>");
    Files.writeString(
        folder.resolve("b/pom.xml"), "<millrace.module>io.millrace.other</millrace.module>");

    ModuleRules rules = new ModuleRules(folder);
    assertThat(rules.packagesOfSeveral()).containsExactly("x.y");
    assertThat(rules.withoutName()).containsExactly("b");
  }

  @Test
  void aUseOfAJsonLibraryIsReported() {
    assertThat(reports(List.of(RULES.noJsonLibrary())))
        .anyMatch(r -> r.contains("bare.KnowsAJsonLibrary") && r.contains("tools.jackson"));
  }

  private static List<String> reports(List<ArchRule> rules) {
    return rules.stream()
        .flatMap(rule -> rule.evaluate(PLANTED).getFailureReport().getDetails().stream())
        .toList();
  }
}
