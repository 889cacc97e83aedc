package io.millrace.server.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.definition.WorkflowDefinition;
import io.millrace.instance.StartRequest;
import io.millrace.redis.ServedFlow;
import io.millrace.redis.flow.JobResult;
import io.millrace.testing.ManualEngine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PluginsTest {

  private static final DataSource POOL = new JdbcDataSource();

  @TempDir private Path folder;
  @TempDir private Path home;
  private JarCopies copies;

  @BeforeEach
  void open() {
    copies = JarCopies.below(home);
  }

  @AfterEach
  void close() {
    copies.close();
    assertThat(home).as("all copies are gone").isEmptyDirectory();
  }

  private Plugins load(Path from) {
    return Plugins.load(from, POOL, copies);
  }

  private PluginProblem onlyProblem() {
    try (Plugins plugins = load(folder)) {
      assertThat(plugins.loaded()).isEmpty();
      assertThat(plugins.problems()).hasSize(1);
      return plugins.problems().getFirst();
    }
  }

  private static String provider(String name, String body) {
    return """
    import io.millrace.WorkflowProvider;
    import io.millrace.definition.*;
    import java.util.*;
    public class %s implements WorkflowProvider {
      public Collection<WorkflowDefinition> workflows(javax.sql.DataSource database) {
        %s
      }
    }
    """
        .formatted(name, body);
  }

  private static JarCompiler flows(String name, String flow) throws IOException {
    return JarCompiler.empty()
        .with("META-INF/services/io.millrace.redis.FlowProvider", name)
        .compiled(
            name,
            """
            import io.millrace.redis.*;
            import io.millrace.redis.flow.Flow;
            import io.millrace.redis.flow.JobResult;
            import io.millrace.redis.flow.Queue;
            import java.util.*;
            public class %s implements FlowProvider {
              public Collection<ServedFlow> flows(javax.sql.DataSource database) {
                return List.of(ServedFlow.of(Flow.of("%s", Queue.of("hash")))
                    .serve("hash", 2, job -> JobResult.of("by",
                        Thread.currentThread().getContextClassLoader().toString())));
              }
            }
            """
                .formatted(name, flow));
  }

  @Test
  void flowsAreLoadedAndTheirHandlersFindTheClassesOfTheirJar() throws Exception {
    flows("Hashes", "files").write(folder.resolve("a.jar"));
    flows("Others", "files").write(folder.resolve("b.jar"));
    flows("Queues", "hashes").write(folder.resolve("c.jar"));
    try (Plugins plugins = load(folder)) {
      assertThat(plugins.flows()).extracting(work -> work.flow().name()).containsExactly("files");
      assertThat(plugins.problems())
          .extracting(PluginProblem::problem)
          .containsExactly(
              "It has flow files, which 'a.jar' has too.",
              "It has queue hash, which 'a.jar' has too.");
      ServedFlow.WorkerPool workerPool = plugins.flows().getFirst().workerPools().getFirst();
      assertThat(workerPool.workers()).isEqualTo(2);
      JobResult.Completed result = (JobResult.Completed) workerPool.handler().handle(null);
      assertThat(String.valueOf(result.fields().get("by")))
          .isNotEqualTo(Thread.currentThread().getContextClassLoader().toString());
    }
  }

  @Test
  void aFolderThatIsNotThereHasNoWorkflows() {
    try (Plugins plugins = load(folder.resolve("none"))) {
      assertThat(plugins.workflows()).isEmpty();
      assertThat(plugins.problems()).isEmpty();
    }
  }

  @Test
  void everyGoodJarIsLoadedWhateverTheOthersAre() throws IOException {
    JarCompiler.workflow("First", "first", 1).write(folder.resolve("a.jar"));
    Files.writeString(folder.resolve("b.jar"), "not a jar");
    JarCompiler.workflow("Second", "second", 3).write(folder.resolve("c.jar"));
    Files.writeString(folder.resolve("readme.txt"), "left alone");
    try (Plugins plugins = load(folder)) {
      assertThat(plugins.workflows()).extracting("type").containsExactly("first", "second");
      assertThat(plugins.loaded()).extracting("name").containsExactly("a.jar", "c.jar");
      assertThat(plugins.problems()).extracting("name").containsExactly("b.jar");
    }
  }

  @Test
  void aJarThatTakesATypeOfTheServerIsReported() throws IOException {
    JarCompiler.workflow("Bulk", "millrace-bulk", 1).write(folder.resolve("bulk.jar"));
    assertThat(onlyProblem().problem()).contains("millrace-bulk", "the server's own");
  }

  @Test
  void aFileThatIsNoJarIsReported() throws IOException {
    Files.writeString(folder.resolve("bad.jar"), "not a jar");
    assertThat(onlyProblem().toString())
        .startsWith("'bad.jar' is left out: It cannot be read: ")
        .endsWith("Expected a jar; check its rights, or copy it again.");
  }

  @Test
  void aJarWithoutAProviderIsReported() throws IOException {
    JarCompiler.naming()
        .with(JarCompiler.SERVICE, "# nobody\n")
        .write(folder.resolve("library.jar"));
    PluginProblem problem = onlyProblem();
    assertThat(problem.problem()).isEqualTo("It names no provider of workflows.");
    assertThat(problem.advice()).contains("io.millrace.WorkflowProvider", JarCompiler.SERVICE);
  }

  @Test
  void aJarWithClassesOfTasksOnlyHasNoWorkflows() throws IOException {
    JarCompiler.empty().with("readme.txt", "tasks").write(folder.resolve("tasks.jar"));
    try (Plugins plugins = load(folder)) {
      assertThat(plugins.problems()).isEmpty();
      assertThat(plugins.loaded())
          .containsExactly(new Plugin("tasks.jar", List.of(), List.of(), JarContents.NONE));
    }
  }

  @Test
  void aProviderThatIsNotThereIsReported() throws IOException {
    JarCompiler.naming("org.example.Missing").write(folder.resolve("a.jar"));
    assertThat(onlyProblem().problem()).contains("org.example.Missing");
  }

  @Test
  void aProviderThatIsNoneIsReported() throws IOException {
    JarCompiler.naming("Other")
        .compiled("Other", "public class Other {}")
        .write(folder.resolve("a.jar"));
    assertThat(onlyProblem().problem()).contains("Other").contains("not a subtype");
  }

  @Test
  void aMissingClassIsReported() throws IOException {
    JarCompiler.naming("Needy")
        .compiled(
            "Needy",
            provider("Needy", "return Helper.all();")
                + "class Helper { static List<WorkflowDefinition> all() { return List.of(); } }",
            "Helper.class")
        .write(folder.resolve("a.jar"));
    PluginProblem problem = onlyProblem();
    assertThat(problem.problem()).contains("NoClassDefFoundError: Helper");
    assertThat(problem.advice()).contains("that the jar holds the classes it needs");
  }

  @Test
  void aProviderThatThrowsIsReportedWithItsCause() throws IOException {
    JarCompiler.naming("Angry")
        .compiled(
            "Angry",
            provider(
                "Angry",
                "throw new IllegalStateException(\"no licence\", new RuntimeException(\"file\"));"))
        .write(folder.resolve("a.jar"));
    assertThat(onlyProblem().problem())
        .isEqualTo(
            "Its provider failed: IllegalStateException: no licence, caused by RuntimeException:"
                + " file.");
  }

  @Test
  void aProviderThatAnswersWithNullIsReported() throws IOException {
    JarCompiler.naming("Nothing")
        .compiled("Nothing", provider("Nothing", "return null;"))
        .write(folder.resolve("a.jar"));
    assertThat(onlyProblem().problem()).contains("Nothing answered with null");
  }

  @Test
  void aWrongDefinitionIsReported() throws IOException {
    JarCompiler.naming("Wrong")
        .compiled(
            "Wrong", provider("Wrong", "return List.of(WorkflowDefinition.of(\"w\").build());"))
        .write(folder.resolve("a.jar"));
    assertThat(onlyProblem().problem()).contains("DefinitionException");
  }

  @Test
  void theSecondJarWithTheSameWorkflowIsReportedAndTheFirstRuns() throws IOException {
    JarCompiler.workflow("One", "same", 2).write(folder.resolve("a.jar"));
    JarCompiler.workflow("Two", "same", 2).write(folder.resolve("b.jar"));
    JarCompiler.workflow("Three", "same", 3).write(folder.resolve("c.jar"));
    try (Plugins plugins = load(folder)) {
      assertThat(plugins.loaded()).extracting("name").containsExactly("a.jar", "c.jar");
      assertThat(plugins.problems())
          .containsExactly(
              new PluginProblem(
                  "b.jar",
                  "It has workflow same version 2, which 'a.jar' has too.",
                  "Remove one of them, or give one another type or version."));
    }
  }

  @Test
  void jarsDoNotSeeEachOthersClasses() throws IOException {
    JarCompiler.workflow("Same", "first", 1).write(folder.resolve("a.jar"));
    JarCompiler.workflow("Same", "second", 1).write(folder.resolve("b.jar"));
    try (Plugins plugins = load(folder)) {
      assertThat(plugins.workflows()).extracting("type").containsExactly("first", "second");
    }
  }

  @Test
  void aFolderOfJarsIsOnePlugin() throws IOException {
    Path orders = Files.createDirectory(folder.resolve("orders"));
    String helper =
        "public class Helper { public static String type() { return \"by-library\"; } }";
    JarCompiler.naming("User")
        .compiled(
            "User",
            provider(
                    "User",
                    """
                    return List.of(WorkflowDefinition.of(Helper.type())
                        .start("begin", ctx -> Next.moveTo("done", "x")).end("done").build());
                    """)
                + helper.replace("public class", "class"),
            "Helper.class")
        .write(orders.resolve("main.jar"));
    JarCompiler.naming().compiled("Helper", helper).write(orders.resolve("library.jar"));
    try (Plugins plugins = load(folder)) {
      assertThat(plugins.problems()).isEmpty();
      assertThat(plugins.loaded()).extracting("name").containsExactly("orders");
      assertThat(plugins.workflows()).extracting("type").containsExactly("by-library");
    }
  }

  /** Writes a workflow with a handler that loads a class only when it runs. */
  private void lazy(String answer) throws IOException {
    JarCompiler.naming("Lazy")
        .compiled(
            "Lazy",
            provider(
                    "Lazy",
                    """
                    return List.of(WorkflowDefinition.of("lazy")
                        .start("begin", ctx -> Next.done(Helper.answer())).build());
                    """)
                + "class Helper { static String answer() { return \"%s\"; } }".formatted(answer))
        .write(folder.resolve("lazy.jar"));
  }

  private static String runs(Plugins plugins) {
    try (ManualEngine engine =
        ManualEngine.with(plugins.workflows().toArray(WorkflowDefinition[]::new))) {
      long id = engine.client().start(StartRequest.of("lazy")).id();
      engine.runUntilIdle();
      return String.valueOf(engine.client().history(id).getLast().outcome().reason());
    }
  }

  @Test
  void whatRunsKeepsItsClassesWhenTheJarIsReplacedUnderIt() throws IOException {
    lazy("old");
    try (Plugins plugins = load(folder)) {
      lazy("brand new");
      assertThat(runs(plugins)).as("a class that is loaded only now").isEqualTo("old");
    }
  }

  @Test
  void onlyJarsWithWorkflowsAreKeptOpen() throws IOException {
    JarCompiler.empty().with("readme.txt", "tasks").write(folder.resolve("tasks.jar"));
    JarCompiler.naming("Missing").write(folder.resolve("bad.jar"));
    JarCompiler.workflow("First", "first", 1).write(folder.resolve("good.jar"));
    try (Plugins plugins = load(folder)) {
      assertThat(plugins.loaded()).extracting("name").containsExactly("good.jar", "tasks.jar");
      try (Stream<Path> all = Files.walk(home)) {
        assertThat(all.map(Path::toString).filter(file -> file.endsWith(".jar")))
            .singleElement(InstanceOfAssertFactories.STRING)
            .endsWith("good.jar");
      }
    }
  }

  @Test
  void theJarsThatAManifestNamesAreUsedToo() throws IOException {
    String library = "public class Library { public static String type() { return \"named\"; } }";
    Path beside = Files.createDirectory(folder.resolve("lib"));
    JarCompiler.empty().compiled("Library", library).write(beside.resolve("library 1.jar"));
    JarCompiler.naming("User")
        .with(
            "META-INF/MANIFEST.MF",
            "Manifest-Version: 1.0\nClass-Path: lib/library%201.jar gone.jar http://x/y.jar\n")
        .compiled(
            "User",
            provider(
                    "User",
                    """
                    return List.of(WorkflowDefinition.of(Library.type())
                        .start("begin", ctx -> Next.moveTo("done", "x")).end("done").build());
                    """)
                + library.replace("public class", "class"),
            "Library.class")
        .write(folder.resolve("user.jar"));
    try (Plugins plugins = load(folder)) {
      assertThat(plugins.problems()).isEmpty();
      assertThat(plugins.workflows()).extracting("type").containsExactly("named");
    }
  }
}
