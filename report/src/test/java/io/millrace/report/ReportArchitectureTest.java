package io.millrace.report;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.millrace.report.store.ReportSchema;
import io.millrace.store.sql.Migrations;
import io.millrace.store.sql.SchemaMode;
import java.sql.PreparedStatement;
import java.sql.Statement;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Tests that the packages of the report component depend only on lower floors. */
class ReportArchitectureTest {

  private static final String ROOT = "io.millrace.report";

  /**
   * Floors, the lowest first. A package may use lower floors, but not the packages of its own
   * floor.
   */
  private static final List<List<String>> FLOORS =
      List.of(List.of("source", "font", "mail"), List.of("kpi", "chart"), List.of("store", "pdf"));

  private static final JavaClasses REPORT =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages(ROOT);

  private static String[] packages(List<String> names) {
    return names.stream().map(name -> ROOT + "." + name + "..").toArray(String[]::new);
  }

  @Test
  void theFloorsNameAllPackages() {
    TreeSet<String> found = new TreeSet<>();
    for (JavaClass one : REPORT) {
      String rest = one.getPackageName().substring(ROOT.length());
      if (!rest.isEmpty()) {
        found.add(rest.substring(1).split("\\.", -1)[0]);
      }
    }
    TreeSet<String> named = new TreeSet<>();
    FLOORS.forEach(named::addAll);
    assertThat(found).isEqualTo(named);
  }

  @Test
  void importsRunDownwardOnly() {
    for (int floor = 0; floor < FLOORS.size(); floor++) {
      for (String one : FLOORS.get(floor)) {
        TreeSet<String> forbidden = new TreeSet<>(FLOORS.get(floor));
        forbidden.remove(one);
        FLOORS.subList(floor + 1, FLOORS.size()).forEach(forbidden::addAll);
        if (!forbidden.isEmpty()) {
          noClasses()
              .that()
              .resideInAnyPackage(packages(List.of(one)))
              .should()
              .dependOnClassesThat()
              .resideInAnyPackage(packages(List.copyOf(forbidden)))
              .check(REPORT);
        }
      }
    }
  }

  @Test
  void nothingBelowImportsTheComponent() {
    noClasses()
        .that()
        .resideOutsideOfPackage(ROOT)
        .should()
        .dependOnClassesThat()
        .resideInAPackage(ROOT)
        .check(REPORT);
  }

  @Test
  void noCirclesAmongPackages() {
    slices().matching("(**)").should().beFreeOfCycles().check(REPORT);
  }

  /** The tables of reports are a component of the engine's migrations. */
  @Test
  void theEngineIsUsedThroughItsPublicPackages() {
    noClasses()
        .that()
        .resideInAPackage(ROOT + "..")
        .should()
        .dependOnClassesThat(
            resideInAnyPackage(
                    "io.millrace",
                    "io.millrace.lifecycle..",
                    "io.millrace.dispatch..",
                    "io.millrace.store..",
                    "io.millrace.observe..")
                .and(not(belongToAnyOf(Migrations.class, SchemaMode.class))))
        .check(REPORT);
    noClasses()
        .that()
        .doNotHaveFullyQualifiedName(ReportSchema.class.getName())
        .should()
        .dependOnClassesThat()
        .belongToAnyOf(Migrations.class, SchemaMode.class)
        .check(REPORT);
  }

  @Test
  void statementsAreOfTheStoreAndTheSourceOnly() {
    noClasses()
        .that()
        .resideOutsideOfPackages(ROOT + ".store..", ROOT + ".source..")
        .should()
        .dependOnClassesThat()
        .areAssignableTo(Statement.class)
        .orShould()
        .dependOnClassesThat()
        .areAssignableTo(PreparedStatement.class)
        .check(REPORT);
  }

  /** A time limit is allowed, since it measures a duration and reads no time of day. */
  @Test
  void nothingReadsAClock() {
    noClasses()
        .that()
        .doNotHaveFullyQualifiedName(ROOT + ".source.QueryTimeLimit")
        .should()
        .callMethod(Instant.class, "now")
        .orShould()
        .callMethod(System.class, "currentTimeMillis")
        .orShould()
        .callMethod(System.class, "nanoTime")
        .orShould()
        .dependOnClassesThat()
        .areAssignableTo(Clock.class)
        .check(REPORT);
  }
}
