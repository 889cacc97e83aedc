package io.millrace.verification.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Tests that the production code follows the architecture rules. {@link PlantedViolationsTest}
 * shows that each rule can fail.
 */
class ArchitectureTest {

  /**
   * Classes outside {@code lifecycle} that create a thread, a clock or an id of their own. They
   * block their threads inside a driver. The hint channel may fail at any time without harm, so no
   * test needs to control it; the connections to Redis depend on the network's time, and tests that
   * control it replace {@code Redis}.
   */
  private static final Set<String> IN_A_DRIVER =
      Set.of(
          "io.millrace.store.sql.PostgresHintListener",
          "io.millrace.store.sql.PostgresHintChannel",
          "io.millrace.redis.connect.RedisBlockingConnection",
          "io.millrace.redis.connect.PipelinedRedis",
          "io.millrace.redis.connect.RedisConnectionLoop");

  private static final ArchitectureRules RULES = new ArchitectureRules("io.millrace");

  private static final JavaClasses ALL =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("io.millrace")
          .that(outside("fixtures"));

  /**
   * The library, without programs. A program has a connection pool, a screen and an exit of its
   * own; the library has none of them.
   */
  private static final JavaClasses ENGINE =
      ALL.that(outside("examples", "testing", "rabbitmq", "redis", "jackson2", "jackson3"));

  private static final JavaClasses LIBRARIES = ALL.that(outside("examples"));

  private static DescribedPredicate<JavaClass> outside(String... modules) {
    Set<String> prefixes =
        Set.of(modules).stream().map(m -> "io.millrace." + m).collect(Collectors.toSet());
    return DescribedPredicate.describe(
        "reside outside " + prefixes,
        c -> prefixes.stream().noneMatch(p -> (c.getPackageName() + ".").startsWith(p + ".")));
  }

  @Test
  void theRulesSeeTheClasses() {
    assertThat(ENGINE.size()).isGreaterThan(150);
    assertThat(LIBRARIES.size()).isGreaterThan(ENGINE.size());
    assertThat(ALL.size()).isGreaterThan(LIBRARIES.size());
    assertThat(ALL.contain("io.millrace.Engine")).isTrue();
    assertThat(ALL.stream().map(JavaClass::getPackageName))
        .noneMatch(p -> p.contains("verification") || p.contains("fixtures"));
    assertThat(JavaSources.ofProduction().files()).hasSizeGreaterThan(100);
  }

  @Test
  void importsRunDownwardOnly() {
    check(RULES.layers(), ENGINE);
    assertThat(RULES.packagesWithoutLayer(ENGINE)).isEmpty();
  }

  @Test
  void dispatchDatabaseAndMetersDoNotKnowEachOther() {
    check(RULES.independentPackages(), ENGINE);
  }

  @Test
  void theTransportKnowsTheEnginesInterfaceOnly() {
    assertThat(ALL.contain("io.millrace.rabbitmq.RabbitTransport")).isTrue();
    check(RULES.transport("rabbitmq", "com.rabbitmq.client.."), ALL);
    assertThat(RULES.publicTypes(ALL, "rabbitmq"))
        .containsExactlyInAnyOrder(
            "RabbitSettings", "RabbitTransport", "RabbitTriggers", "RabbitTriggers.Message");
  }

  @Test
  void noCirclesAmongPackages() {
    ArchitectureRules.noCycles().check(ALL);
  }

  @Test
  void nothingBelowImportsTheRoof() {
    RULES.rootPackageOnly().check(ENGINE);
  }

  @Test
  void timeChanceAndThreadsComeFromOnePlace() {
    RULES.singleTimeSource(IN_A_DRIVER).check(LIBRARIES);
  }

  @Test
  void everyExceptionFromTheClockRuleIsStillNeeded() {
    for (String name : IN_A_DRIVER) {
      JavaClasses one =
          LIBRARIES.that(DescribedPredicate.describe("are " + name, c -> c.getName().equals(name)));
      assertThat(
              RULES.singleTimeSource(Set.of()).allowEmptyShould(true).evaluate(one).hasViolation())
          .as(name + " needs its exception")
          .isTrue();
    }
  }

  @Test
  void sqlIsInOnePlace() {
    check(RULES.sqlInOnePlace(), ENGINE);
  }

  /** The list of dialects names each, and pools end sessions whatever they are for. */
  @Test
  void databasesAreBehindTheDialect() {
    RULES.databasesBehindTheDialect(Set.of("Dialects", "PooledConnections")).check(ENGINE);
  }

  @Test
  void theLibrariesHaveGoodManners() {
    check(ArchitectureRules.forbiddenCalls(), LIBRARIES);
  }

  @Test
  void aNameIsThatOfOneClass() {
    assertThat(JavaSources.ofProduction().namesOfSeveral()).isEmpty();
  }

  @Test
  void aPackageIsInOneJar() {
    assertThat(new ModuleRules(JavaSources.top()).packagesOfSeveral()).isEmpty();
  }

  @Test
  void everyJarHasAModuleName() {
    assertThat(new ModuleRules(JavaSources.top()).withoutName()).isEmpty();
  }

  @Test
  void theEngineNeedsNoJsonLibrary() {
    RULES.noJsonLibrary().check(ENGINE);
  }

  @Test
  void everyPackageSaysWhatItIs() {
    assertThat(JavaSources.ofProduction().foldersWithoutPackageInfo()).isEmpty();
  }

  @Test
  void thePublicFacesOfTheThirdFloorAreSmall() {
    assertThat(RULES.publicTypes(ENGINE, "dispatch"))
        .containsExactlyInAnyOrder(
            "DefinitionRegistry",
            "InstanceExecutor",
            "InstanceExecutor.Config",
            "InstanceExecutor.Features",
            "LocalExecutors",
            "NameRules",
            "NewInstanceFactory",
            "ValueSerializer");
    assertThat(RULES.publicTypes(ENGINE, "store.sql"))
        .containsExactlyInAnyOrder(
            "Migrations",
            "PooledConnections",
            "PooledConnections.Work",
            "SchemaMode",
            "SqlDoctor",
            "SqlDoctor.Check",
            "SqlDoctor.Intent",
            "SqlDoctor.Level",
            "SqlExtension",
            "SqlRowReader",
            "SqlStore",
            "SqlStore.Options");
    assertThat(RULES.publicTypes(ENGINE, "observe"))
        .containsExactlyInAnyOrder("MillraceMeters", "Tracing");
  }

  /** The database's own settings, and what a test or a framework brings, are the only ones. */
  @Test
  void thePublicMethodsOfTheRootPackageShowNoTypeOfTheStore() {
    assertThat(RULES.storeTypesInRoot(ENGINE))
        .containsExactlyInAnyOrder(
            "EngineBuilder.database: io.millrace.store.sql.SqlStore$Options",
            "EngineBuilder.schema: io.millrace.store.sql.SchemaMode",
            "EngineBuilder.store: io.millrace.store.Store",
            "EngineBuilder.transactions: io.millrace.store.CallerTransactions");
  }

  private static void check(List<ArchRule> rules, JavaClasses classes) {
    rules.forEach(rule -> rule.check(classes));
  }
}
