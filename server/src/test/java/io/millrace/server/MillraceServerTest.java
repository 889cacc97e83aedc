package io.millrace.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.WorkflowClient;
import io.millrace.continuous.RolloutRequest;
import io.millrace.instance.DrainRequest;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.MillraceException;
import io.millrace.instance.OperatorAction;
import io.millrace.instance.StartRequest;
import io.millrace.lifecycle.EngineRuntime;
import io.millrace.lifecycle.EngineState;
import io.millrace.server.config.ExposureCheck;
import io.millrace.server.config.LoadedConfig;
import io.millrace.server.doctor.DatabaseInUseException;
import io.millrace.server.plugin.JarCompiler;
import io.millrace.server.security.TestAccounts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.time.Duration;
import java.util.Objects;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MillraceServerTest {

  @TempDir private Path folder;

  private static MillraceServer start(LoadedConfig loaded) {
    return MillraceServer.start(
        loaded, ServerExtensions.NONE, EngineRuntime.system(), TestAccounts::open);
  }

  private static int status(String server, String path) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      URI address = URI.create(server + "api/v1/" + path);
      return client
          .send(HttpRequest.newBuilder(address).build(), BodyHandlers.discarding())
          .statusCode();
    }
  }

  @Test
  void itRunsTheWorkflowsOfTheFolderAndStopsInOrder() throws Exception {
    JarCompiler.naming("Slow")
        .compiled(
            "Slow",
            """
            import io.millrace.WorkflowProvider;
            import io.millrace.definition.*;
            import java.util.*;
            public class Slow implements WorkflowProvider {
              public Collection<WorkflowDefinition> workflows(javax.sql.DataSource database) {
                return List.of(WorkflowDefinition.of("slow")
                    .start("begin", ctx -> {
                      io.millrace.server.JarRendezvous.pass();
                      return Next.moveTo("done", "by a jar");
                    })
                    .end("done").build());
              }
            }
            """)
        .write(folder.resolve("slow.jar"));
    LoadedConfig config =
        TestConfigs.of(
            "database.url",
            "jdbc:h2:file:" + folder.resolve("data"),
            "security.enabled",
            "false",
            "workflows.folder",
            folder.toString());
    long id;
    MillraceServer millraceServer = start(config);
    String address = millraceServer.address();
    try (millraceServer) {
      assertThat(status(address, "health/ready")).isEqualTo(200);
      id = millraceServer.engine().client().start(StartRequest.of("slow", "x")).id();
      Patience.await(JarRendezvous.BEGUN);
      Thread stop = Thread.ofVirtual().start(millraceServer::close);
      // while the handler runs, the server is not ready, but still answers
      Polling.until(() -> status(address, "health/ready"), status -> status == 503);
      assertThat(stop.isAlive()).isTrue();
      assertThat(status(address, "health/live")).isEqualTo(200);
      JarRendezvous.GO_ON.countDown();
      Patience.join(stop);
    }
    assertThatThrownBy(() -> status(address, "health/live")).isInstanceOf(IOException.class);
    try (MillraceServer again = start(config)) {
      assertThat(again.engine().client().get(id).position().status())
          .isEqualTo(InstanceStatus.FINISHED);
      assertThat(StartupBanner.of(again, config.config(), Duration.ofMillis(1234)))
          .contains("address    http://127.0.0.1:")
          .contains("(one node only)")
          .contains("executor   2 in group millrace")
          .contains("workflows  1 from " + folder)
          .contains("ready after 1.2 s");
    }
  }

  @Test
  void aServerThatARolloutReplacesIsUnreadyEndsConnectionsAndWantsToEnd() throws Exception {
    LoadedConfig config =
        TestConfigs.of(
            "engine.executor.keepalive.seconds", "1",
            "http.unreadyTime", "10 ms",
            "engine.executor.name", "left");
    try (MillraceServer server = start(config);
        HttpClient client = HttpClient.newHttpClient()) {
      HttpRequest ready =
          HttpRequest.newBuilder(URI.create(server.address() + "api/v1/health/ready")).build();
      HttpResponse<Void> before = client.send(ready, BodyHandlers.discarding());
      assertThat(before.statusCode()).isEqualTo(200);
      assertThat(before.headers().firstValue("Connection")).isEmpty();

      server.engine().admin().rollouts().start(RolloutRequest.all(), OperatorAction.by("ann"));
      server.awaitReplaced();

      HttpResponse<Void> after = client.send(ready, BodyHandlers.discarding());
      assertThat(after.statusCode()).isEqualTo(503);
      assertThat(after.headers().firstValue("Connection")).contains("close");
      long id = server.engine().client().start(StartRequest.of("millrace-bulk", "x")).id();
      assertThat(id).as("starts go through until the end").isPositive();
    }
  }

  @Test
  void aServerThatIsRecycledInPlaceGoesOnWithAnotherExecutor() throws Exception {
    LoadedConfig config =
        TestConfigs.of(
            "engine.executor.keepalive.seconds", "1",
            "engine.executor.name", "left",
            "recycle.inPlace", "true");
    try (MillraceServer server = start(config)) {
      long before = Objects.requireNonNull(server.engine().executorId());
      server
          .engine()
          .admin()
          .rollouts()
          .start(RolloutRequest.all().recycle(), OperatorAction.by("ann"));
      Polling.until(
          () -> Objects.requireNonNull(server.engine().executorId()), now -> now != before);
      assertThat(status(server.address(), "health/ready")).isEqualTo(200);
      long id = server.engine().client().start(StartRequest.of("millrace-bulk", "x")).id();
      // wait until the new executor has claimed it
      Polling.until(
          () -> server.engine().client().get(id).status(),
          status -> status != InstanceStatus.CREATED);
    }
  }

  @Test
  void aServerWhoseExecutorIsDrainedByHandAnswersOn() throws Exception {
    try (MillraceServer server = start(TestConfigs.of("engine.executor.keepalive.seconds", "1"))) {
      long executor = Objects.requireNonNull(server.engine().executorId());
      server
          .engine()
          .admin()
          .drain(executor, DrainRequest.withDefaultGrace(), OperatorAction.by("ann"));
      Polling.until(() -> server.engine().state(), state -> state == EngineState.DRAINED);
      assertThat(status(server.address(), "health/ready")).isEqualTo(200);
    }
  }

  @Test
  void theFirstLoginIsMadeUpOnceAndOnlyWhereNobodyElseReadsIt() {
    LoadedConfig config = TestConfigs.of("database.url", "jdbc:h2:file:" + folder.resolve("data"));
    try (MillraceServer millraceServer = start(config)) {
      String password = millraceServer.firstLogin().orElseThrow().password();
      assertThat(StartupBanner.of(millraceServer, config.config(), Duration.ZERO))
          .contains("log in as  admin with password " + password);
    }
    try (MillraceServer again = start(config)) {
      assertThat(again.firstLogin()).isEmpty();
      assertThat(StartupBanner.of(again, config.config(), Duration.ZERO))
          .doesNotContain("password");
    }
    try (MillraceServer given =
        start(TestConfigs.ofFirstStart("security.admin.password", "a long password"))) {
      assertThat(given.firstLogin()).isEmpty();
    }
    try (MillraceServer open = start(TestConfigs.ofFirstStart("security.enabled", "false"))) {
      assertThat(open.firstLogin()).isEmpty();
    }
  }

  @Test
  void anOpenDoorIsRefusedBeforeAnythingListens() {
    assertThatThrownBy(() -> start(TestConfigs.ofFirstStart("http.bind", "0.0.0.0")))
        .isInstanceOf(MillraceException.class)
        .hasMessageContaining("lets other machines in");
  }

  @Test
  void aJarThatCannotBeUsedIsKnownAndTheRestStarts() throws IOException {
    JarCompiler.workflow("Good", "good", 1).write(folder.resolve("good.jar"));
    JarCompiler.naming("Missing").write(folder.resolve("bad.jar"));
    LoadedConfig config = TestConfigs.of("workflows.folder", folder.toString());
    try (MillraceServer server = start(config)) {
      assertThat(server.plugins().problems()).extracting("name").containsExactly("bad.jar");
      assertThat(server.engine().client().start(StartRequest.of("good", "x")).id()).isPositive();
      assertThat(StartupBanner.of(server, config.config(), Duration.ZERO)).contains("; 1 left out");
    }
  }

  @Test
  void aHandlerFindsWhatItsJarHasByTheThread() throws Exception {
    JarCompiler.naming("Finder")
        .with("found.txt", "here")
        .compiled(
            "Finder",
            """
            import io.millrace.WorkflowProvider;
            import io.millrace.definition.*;
            import java.util.*;
            public class Finder implements WorkflowProvider {
              public Collection<WorkflowDefinition> workflows(javax.sql.DataSource database) {
                return List.of(WorkflowDefinition.of("finder").start("look", ctx -> Next.done(
                    "" + (Thread.currentThread().getContextClassLoader()
                        .getResource("found.txt") != null))).build());
              }
            }
            """)
        .write(folder.resolve("finder.jar"));
    try (MillraceServer server = start(TestConfigs.of("workflows.folder", folder.toString()))) {
      WorkflowClient client = server.engine().client();
      long id = client.start(StartRequest.of("finder")).id();
      client.await(id, Patience.LIMIT);
      assertThat(client.history(id).getLast().outcome().reason()).isEqualTo("true");
    }
  }

  @Test
  void whatCannotBeOpenedLeavesNothingOpen() throws IOException {
    String url = "jdbc:h2:file:" + folder.resolve("data");
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      LoadedConfig config =
          TestConfigs.of(
              "database.url",
              url,
              "security.enabled",
              "false",
              "http.port",
              String.valueOf(taken.getLocalPort()));
      assertThatThrownBy(() -> start(config))
          .isInstanceOf(MillraceException.class)
          .hasMessageContaining("http.port = " + taken.getLocalPort());
    }
    try (MillraceServer server =
        start(TestConfigs.of("database.url", url, "security.enabled", "false"))) {
      assertThat(server.engine().executorId()).as("no engine ran before").isEqualTo(1);
    }
  }

  @Test
  void aKeyStoreThatCannotBeReadIsNamed() {
    String file = folder.resolve("none.p12").toString();
    LoadedConfig config = TestConfigs.of("http.tls.mode", "keystore", "http.tls.keyStore", file);

    assertThatThrownBy(() -> start(config))
        .isInstanceOf(MillraceException.class)
        .hasMessageContaining("http.tls.keyStore = " + file)
        .hasMessageContaining("http.tls.password");
  }

  @Test
  void aFirstUserWhoCannotBeCalledThatIsNamed() {
    LoadedConfig config =
        TestConfigs.ofFirstStart(
            "security.admin.user", "A b", "security.admin.password", "a long password");

    assertThatThrownBy(() -> start(config))
        .isInstanceOf(MillraceException.class)
        .hasMessageStartingWith("security.admin.user = A b: ");
  }

  @Test
  void aDatabaseThatIsInUseIsNamed() throws Exception {
    String url = "jdbc:h2:file:" + folder.resolve("data");
    // a second H2 class loader does not know our database, like another process
    URL h2 = org.h2.Driver.class.getProtectionDomain().getCodeSource().getLocation();
    try (URLClassLoader other =
            new URLClassLoader(new URL[] {h2}, ClassLoader.getPlatformClassLoader());
        Connection held =
            ((Driver) other.loadClass("org.h2.Driver").getConstructor().newInstance())
                .connect(url, new Properties())) {
      assertThat(held.isValid(1)).isTrue();
      LoadedConfig config = TestConfigs.of("database.url", url);
      assertThatThrownBy(() -> start(config))
          .isInstanceOf(DatabaseInUseException.class)
          .hasMessageContaining("is in use by another process; H2 is for one at a time");
    }
  }

  @Test
  void aDatabaseThatDoesNotAnswerIsNamedWithoutItsPassword() {
    LoadedConfig config =
        TestConfigs.of("database.url", "jdbc:postgresql://127.0.0.1:1/x?password=hidden");
    assertThatThrownBy(() -> start(config))
        .isInstanceOf(MillraceException.class)
        .hasMessageContaining("jdbc:postgresql://127.0.0.1:1/x?password=***")
        .hasMessageContaining("Check that it runs")
        .hasMessageNotContaining("hidden");
  }

  @Test
  void otherMachinesAreLetInOnlyAfterADecision() {
    assertThatThrownBy(() -> exposed("http.bind", "0.0.0.0"))
        .hasMessageContaining("security.admin.password")
        .hasMessageContaining("http.tls.mode")
        .hasMessageContaining("Or set http.bind = 127.0.0.1.");
    assertThatThrownBy(() -> exposed("http.bind", "0.0.0.0", "http.tls.mode", "none"))
        .hasMessageContaining("security.admin.password")
        .hasMessageNotContaining("http.tls.mode");
    assertThatThrownBy(
            () -> exposed("http.bind", "0.0.0.0", "security.admin.password", "a long password"))
        .hasMessageNotContaining("security.admin.password")
        .hasMessageContaining("http.tls.mode");
    assertThatThrownBy(() ->
            exposed(
                "http.bind",
                "::",
                "http.tls.mode",
                "none",
                "security.enabled",
                "false",
                "security.admin.password",
                "a long password"))
        .hasMessageContaining("security.enabled = true");
    exposed(
        "http.bind",
        "0.0.0.0",
        "http.tls.mode",
        "none",
        "security.admin.password",
        "a long password");
    exposed("http.bind", "::1");
    exposed("http.bind", "localhost");
    ExposureCheck.check(
        TestConfigs.ofFirstStart("http.bind", "::", "http.tls.mode", "proxy").config(), () -> true);
    assertThatThrownBy(() -> exposed("http.bind", "no.such.host.invalid"))
        .hasMessageContaining("is not known on this machine");
  }

  private static void exposed(String... keysAndValues) {
    ExposureCheck.check(TestConfigs.ofFirstStart(keysAndValues).config(), () -> false);
  }
}
