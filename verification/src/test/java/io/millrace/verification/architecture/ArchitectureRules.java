package io.millrace.verification.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchRule;
import java.io.ObjectInputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The architecture rules, for a tree of packages below any root, so that they can be tested on
 * planted violations.
 */
record ArchitectureRules(String root) {

  /** The layers of the engine, the lowest first. The root package itself is above all of them. */
  private static final List<List<String>> FLOORS =
      List.of(
          List.of("instance", "retry", "codec", "lifecycle", "schedule", "data"),
          List.of("definition", "event", "store"),
          List.of("store.sql", "dispatch", "observe"),
          List.of("extension"),
          List.of("sequence", "continuous"));

  private static final Set<String> SQL_OF_ALL =
      Set.of("java.sql.Connection", "javax.sql.DataSource");

  /**
   * Methods that read a clock, create randomness or create threads, by class; an empty set stands
   * for all methods of the class.
   */
  private static final Map<String, Set<String>> SURROUNDINGS =
      Map.ofEntries(
          Map.entry("java.time.Instant", Set.of("now")),
          Map.entry("java.time.LocalDate", Set.of("now")),
          Map.entry("java.time.LocalTime", Set.of("now")),
          Map.entry("java.time.LocalDateTime", Set.of("now")),
          Map.entry("java.time.OffsetDateTime", Set.of("now")),
          Map.entry("java.time.ZonedDateTime", Set.of("now")),
          Map.entry("java.time.InstantSource", Set.of("system")),
          Map.entry("java.time.Clock", Set.of("system", "systemUTC", "systemDefaultZone")),
          Map.entry("java.lang.System", Set.of("currentTimeMillis", "nanoTime")),
          Map.entry("java.util.Date", Set.of("<init>")),
          Map.entry("java.lang.Math", Set.of("random")),
          Map.entry("java.util.Random", Set.of("<init>")),
          Map.entry("java.util.UUID", Set.of("randomUUID")),
          Map.entry("java.util.concurrent.ThreadLocalRandom", Set.of()),
          Map.entry(
              "java.lang.Thread",
              Set.of("<init>", "sleep", "ofVirtual", "ofPlatform", "startVirtualThread")),
          Map.entry("java.util.concurrent.TimeUnit", Set.of("sleep")),
          Map.entry("java.util.concurrent.locks.LockSupport", Set.of("parkNanos", "parkUntil")),
          Map.entry("java.util.Timer", Set.of()),
          Map.entry("java.util.concurrent.Executors", Set.of()),
          Map.entry("java.util.concurrent.CompletableFuture", Set.of("runAsync", "supplyAsync")));

  /** Returns rules that a class imports only from its own layer and those below. */
  List<ArchRule> layers() {
    List<ArchRule> rules = new ArrayList<>();
    for (int floor = 0; floor < FLOORS.size(); floor++) {
      String[] above =
          FLOORS.subList(floor + 1, FLOORS.size()).stream()
              .flatMap(List::stream)
              .map(this::packageOf)
              .toArray(String[]::new);
      String[] here = FLOORS.get(floor).stream().map(this::packageOf).toArray(String[]::new);
      if (above.length > 0) {
        rules.add(
            noClasses()
                .that()
                .resideInAnyPackage(here)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(above)
                .because("imports run downward only"));
      }
    }
    return rules;
  }

  /** Returns the packages of the engine that are in no layer. */
  Set<String> packagesWithoutLayer(JavaClasses classes) {
    Set<String> unknown = new TreeSet<>();
    for (JavaClass one : classes) {
      String name = one.getPackageName();
      boolean placed =
          name.equals(root)
              || FLOORS.stream().flatMap(List::stream).anyMatch(f -> name.equals(packageOf(f)));
      if (!placed) {
        unknown.add(name);
      }
    }
    return unknown;
  }

  /** Returns rules that packages do not know each other, of one layer or of two. */
  List<ArchRule> independentPackages() {
    return List.of(
        independentPackages("dispatch", "store.sql", "sequence", "continuous", "observe"),
        independentPackages("store.sql", "dispatch", "sequence", "continuous", "observe"),
        independentPackages("extension", "store.sql", "observe"),
        independentPackages("sequence", "dispatch", "store.sql", "continuous", "observe"),
        independentPackages("continuous", "dispatch", "store.sql", "sequence", "observe"),
        independentPackages("observe", "dispatch", "store.sql", "sequence", "continuous"));
  }

  private ArchRule independentPackages(String from, String... to) {
    return noClasses()
        .that()
        .resideInAPackage(packageOf(from))
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(Stream.of(to).map(this::packageOf).toArray(String[]::new))
        .because("features know the executors only through their services, and no database");
  }

  /**
   * Returns rules that a transport knows only the engine's interfaces for channels and for
   * triggers, and its own library, and that no class knows the transport.
   *
   * @param library packages of its own library
   */
  List<ArchRule> transport(String name, String library) {
    return List.of(
        noClasses()
            .that()
            .resideInAPackage(packageOf(name))
            .should()
            .dependOnClassesThat()
            .resideOutsideOfPackages(
                packageOf(name),
                packageOf("sequence"),
                packageOf("continuous"),
                packageOf("instance"),
                packageOf("lifecycle"),
                library,
                "java..",
                "javax.net..",
                "org.slf4j",
                "org.jspecify.annotations"),
        noClasses()
            .that()
            .resideOutsideOfPackage(packageOf(name))
            .should()
            .dependOnClassesThat()
            .resideInAPackage(packageOf(name)));
  }

  /**
   * Returns a rule against cycles. The pattern includes the root package; {@code root.(**)} would
   * miss cycles through it.
   */
  static ArchRule noCycles() {
    return slices().matching("(**)").should().beFreeOfCycles();
  }

  /** Returns a rule that no class below the root package imports it. */
  ArchRule rootPackageOnly() {
    return noClasses()
        .that()
        .resideInAPackage(root + "..")
        .and()
        .resideOutsideOfPackage(root)
        .should()
        .dependOnClassesThat()
        .resideInAPackage(root);
  }

  /**
   * Returns a rule that only one package provides time, randomness and threads.
   *
   * @param excepted names of the classes that are exempt
   */
  ArchRule singleTimeSource(Set<String> excepted) {
    return noClasses()
        .that()
        .resideOutsideOfPackage(packageOf("lifecycle"))
        .and(
            DescribedPredicate.describe(
                "are not excepted", c -> !excepted.contains(outermost(c).getName())))
        .should()
        .accessTargetWhere(surroundings())
        .because("time, chance and threads come from lifecycle, where a test can replace them");
  }

  static DescribedPredicate<JavaAccess<?>> surroundings() {
    return DescribedPredicate.describe(
        "reads a clock, makes chance or makes threads", access -> isOfSurroundings(access));
  }

  private static boolean isOfSurroundings(JavaAccess<?> access) {
    Set<String> names = SURROUNDINGS.get(access.getTargetOwner().getName());
    return names != null
        && (names.isEmpty() || names.contains(access.getTarget().getName()))
        && !isGivenItsValue(access);
  }

  /**
   * True if the caller passes a seed or a value, so that the result does not depend on the machine.
   */
  private static boolean isGivenItsValue(JavaAccess<?> access) {
    return access.getTargetOwner().getPackageName().equals("java.util")
        && access.getTarget().getName().equals("<init>")
        && parameters(access) > 0;
  }

  /** Returns a rule that no class uses a JSON library, of which applications have their own. */
  ArchRule noJsonLibrary() {
    return noClasses()
        .that()
        .resideInAPackage(root + "..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("tools.jackson..", "com.fasterxml..", "com.google.gson..")
        .because("an application has a JSON library in a version of its own");
  }

  /** Returns rules that statements and result sets stay in the SQL package. */
  List<ArchRule> sqlInOnePlace() {
    DescribedPredicate<JavaClass> sql =
        DescribedPredicate.describe(
            "belong to JDBC", c -> isSql(c) && !SQL_OF_ALL.contains(c.getName()));
    DescribedPredicate<JavaClass> anySql =
        DescribedPredicate.describe("belong to JDBC", ArchitectureRules::isSql);
    return List.of(
        noClasses()
            .that()
            .resideOutsideOfPackage(packageOf("store.sql"))
            .should()
            .dependOnClassesThat(sql),
        noClasses()
            .that()
            .resideOutsideOfPackages(packageOf("store.sql"), packageOf("store"), root)
            .should()
            .dependOnClassesThat(anySql));
  }

  /**
   * Returns a rule that classes named after a database are used by its dialect only.
   *
   * @param excepted simple names of the classes that are exempt
   */
  ArchRule databasesBehindTheDialect(Set<String> excepted) {
    return noClasses()
        .that(
            DescribedPredicate.describe(
                "belong to no database",
                c -> !isOfOneDatabase(c) && !excepted.contains(outermost(c).getSimpleName())))
        .should()
        .dependOnClassesThat(
            DescribedPredicate.describe("belong to a database", this::isOfOneDatabase))
        .because("what differs between databases is a question to the dialect");
  }

  private boolean isOfOneDatabase(JavaClass type) {
    String name = outermost(type).getSimpleName();
    return type.getPackageName().equals(packageOf("store.sql"))
        && Stream.of("H2", "Postgres").anyMatch(name::startsWith);
  }

  private static boolean isSql(JavaClass type) {
    return type.getPackageName().equals("java.sql") || type.getPackageName().equals("javax.sql");
  }

  /**
   * Returns rules that a library neither ends the process, nor prints, nor logs past SLF4J, nor
   * reads Java serialization.
   */
  static List<ArchRule> forbiddenCalls() {
    return List.of(
        noClasses().should().callMethod(System.class, "exit", int.class),
        noClasses().should().callMethodWhere(calls("printStackTrace", 0)),
        noClasses().should().accessField(System.class, "out"),
        noClasses().should().accessField(System.class, "err"),
        noClasses().should().dependOnClassesThat().resideInAPackage("java.util.logging.."),
        noClasses().should().dependOnClassesThat().areAssignableTo(ObjectInputStream.class));
  }

  private static DescribedPredicate<JavaAccess<?>> calls(String name, int parameters) {
    return DescribedPredicate.describe(
        "call " + name,
        access -> access.getTarget().getName().equals(name) && parameters(access) == parameters);
  }

  private static int parameters(JavaAccess<?> access) {
    return access instanceof JavaCall<?> call ? call.getTarget().getRawParameterTypes().size() : -1;
  }

  /**
   * Returns the names of the types in a package that other packages can use, without the package's
   * name.
   */
  Set<String> publicTypes(JavaClasses classes, String shortPackage) {
    Set<String> names = new TreeSet<>();
    for (JavaClass one : classes) {
      if (one.getPackageName().equals(packageOf(shortPackage)) && isPublicAllTheWay(one)) {
        names.add(one.getName().substring(one.getPackageName().length() + 1).replace('$', '.'));
      }
    }
    names.remove("package-info");
    return names;
  }

  /**
   * Returns the public methods of the root package that show a type of the store, as {@code
   * Type.method: type}.
   */
  Set<String> storeTypesInRoot(JavaClasses classes) {
    Set<String> shown = new TreeSet<>();
    for (JavaClass one : classes) {
      if (!one.getPackageName().equals(root) || !isPublicAllTheWay(one)) {
        continue;
      }
      for (JavaCodeUnit method : one.getCodeUnits()) {
        if (method.getModifiers().contains(JavaModifier.PUBLIC)) {
          typesOf(method)
              .filter(type -> (type.getPackageName() + ".").startsWith(packageOf("store") + "."))
              .forEach(type ->
                  shown.add(one.getSimpleName() + "." + method.getName() + ": " + type.getName()));
        }
      }
    }
    return shown;
  }

  private static Stream<JavaClass> typesOf(JavaCodeUnit method) {
    return Stream.concat(Stream.of(method.getReturnType()), method.getParameterTypes().stream())
        .flatMap(type -> type.getAllInvolvedRawTypes().stream());
  }

  private static boolean isPublicAllTheWay(JavaClass type) {
    return type.getModifiers().contains(JavaModifier.PUBLIC)
        && !type.isAnonymousClass()
        && type.getEnclosingClass().map(ArchitectureRules::isPublicAllTheWay).orElse(true);
  }

  private static JavaClass outermost(JavaClass type) {
    return type.getEnclosingClass().map(ArchitectureRules::outermost).orElse(type);
  }

  private String packageOf(String shortName) {
    return root + "." + shortName;
  }
}
