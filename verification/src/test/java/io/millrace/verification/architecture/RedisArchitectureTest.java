package io.millrace.verification.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Tests of the layers of the Redis module, and of its dependencies. */
class RedisArchitectureTest {

  private static final String ROOT = "io.millrace.redis";

  /**
   * The layers, the lowest first; the root package itself is above all of them, and below {@link
   * #ANNEXE}.
   */
  private static final List<List<String>> FLOORS =
      List.of(
          List.of("wire"),
          List.of("flow"),
          List.of("connect"),
          List.of("jobs", "work", "admin", "trigger"));

  /**
   * Package that joins jobs and workflows of the engine; it may use both, and no other package may
   * use it.
   */
  private static final String ANNEXE = ROOT + ".bridge";

  private static final JavaClasses REDIS =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages(ROOT);

  private static String[] packages(List<List<String>> floors) {
    return floors.stream().flatMap(List::stream).map(p -> ROOT + "." + p).toArray(String[]::new);
  }

  @Test
  void everyPackageHasItsFloor() {
    Set<String> known =
        FLOORS.stream().flatMap(List::stream).map(p -> ROOT + "." + p).collect(Collectors.toSet());
    known.add(ROOT);
    known.add(ANNEXE);
    assertThat(REDIS.stream().map(JavaClass::getPackageName)).isSubsetOf(known).contains(ROOT);
  }

  @Test
  void importsRunDownwardOnly() {
    for (int floor = 0; floor < FLOORS.size(); floor++) {
      List<List<String>> above = FLOORS.subList(floor + 1, FLOORS.size());
      String[] forbidden = packages(above);
      noClasses()
          .that()
          .resideInAnyPackage(packages(List.of(FLOORS.get(floor))))
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(forbidden)
          .orShould()
          .dependOnClassesThat()
          .resideInAPackage(ROOT)
          .because("imports run downward only")
          .check(REDIS);
    }
  }

  @Test
  void nobodyKnowsTheAnnexe() {
    noClasses()
        .that()
        .resideOutsideOfPackage(ANNEXE)
        .should()
        .dependOnClassesThat()
        .resideInAPackage(ANNEXE)
        .check(REDIS);
  }

  @Test
  void socketsAreOpenedInOnePlace() {
    noClasses()
        .that()
        .resideOutsideOfPackage(ROOT + ".connect")
        .should()
        .dependOnClassesThat()
        .haveNameMatching("java\\.net\\..*Socket.*|java\\.nio\\.channels\\..*|javax\\.net\\..*")
        .check(REDIS);
  }

  @Test
  void whoHasOnlyRedisNeedsNoEngine() {
    noClasses()
        .that()
        .resideInAnyPackage(ROOT + ".wire", ROOT + ".flow", ROOT + ".connect", ROOT + ".work", ROOT)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "io.millrace",
            "io.millrace.store..",
            "io.millrace.dispatch..",
            "io.millrace.definition..",
            "io.millrace.continuous..",
            "io.millrace.sequence..",
            "java.sql..")
        .check(REDIS);
  }
}
