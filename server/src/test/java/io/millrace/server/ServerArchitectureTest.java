package io.millrace.server;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.ObjectInputStream;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.sql.Statement;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Tests that the packages of the server keep to their layers. */
class ServerArchitectureTest {

  private static final String ROOT = "io.millrace.server";

  /**
   * The layers. A package may use those of earlier layers, but none of the same or a later layer.
   */
  private static final List<List<String>> FLOORS =
      List.of(
          List.of("config", "cli"),
          List.of("security", "plugin", "report", "doctor"),
          List.of("deliver"),
          List.of("http", "observe", "notice", "events", "bulk"),
          List.of("api"));

  /**
   * The classes, imported by their path; otherwise all jars of the class path would be searched.
   */
  private static final JavaClasses SERVER =
      new ClassFileImporter().importPath(Path.of("target", "classes"));

  private static String[] packages(List<String> names) {
    return names.stream().map(name -> ROOT + "." + name + "..").toArray(String[]::new);
  }

  @Test
  void theFloorsNameAllPackages() {
    TreeSet<String> found = new TreeSet<>();
    for (JavaClass one : SERVER) {
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
      for (int above = floor + 1; above < FLOORS.size(); above++) {
        noClasses()
            .that()
            .resideInAnyPackage(packages(FLOORS.get(floor)))
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(packages(FLOORS.get(above)))
            .check(SERVER);
      }
    }
  }

  @Test
  void nothingBelowImportsTheProgram() {
    noClasses()
        .that()
        .resideOutsideOfPackage(ROOT)
        .should()
        .dependOnClassesThat()
        .resideInAPackage(ROOT)
        .check(SERVER);
  }

  @Test
  void noCirclesAmongPackages() {
    slices().matching("(**)").should().beFreeOfCycles().check(SERVER);
  }

  @Test
  void theCommandsKnowOnlyTheHttpInterface() {
    noClasses()
        .that()
        .resideInAPackage(ROOT + ".cli..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.millrace.store..", "io.millrace.instance..", "io.millrace")
        .check(SERVER);
  }

  @Test
  void statementsAreOfAccountsImportsAndTheDemoOnly() {
    noClasses()
        .that()
        .resideOutsideOfPackages(ROOT + ".security..")
        .should()
        .dependOnClassesThat()
        .areAssignableTo(Statement.class)
        .orShould()
        .dependOnClassesThat()
        .areAssignableTo(PreparedStatement.class)
        .check(SERVER);
  }

  @Test
  void nothingReadsSerializedObjects() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .areAssignableTo(ObjectInputStream.class)
        .check(SERVER);
  }
}
