package io.millrace.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.instance.InstanceStatus;
import io.millrace.instance.MillraceException;
import io.millrace.instance.StartRequest;
import io.millrace.server.config.Exposure;
import io.millrace.server.config.LoadedConfig;
import io.millrace.server.doctor.DatabaseInUseException;
import io.millrace.server.plugin.Jars;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerTest {

  @TempDir private Path folder;

  private static final class FakeWeb implements Web {
    private final Parts parts;
    private final List<String> story = new ArrayList<>();

    private FakeWeb(Parts parts) {
      this.parts = parts;
      story.add("opened, ready " + parts.ready().getAsBoolean());
    }

    @Override
    public String address() {
      return "http://127.0.0.1:1/";
    }

    @Override
    public void close() {
      story.add(
          "closed, ready "
              + parts.ready().getAsBoolean()
              + ", executors stopped "
              + parts.engine().client().executors("millrace").stream()
                  .allMatch(executor -> executor.stopped() != null));
    }
  }

  @Test
  void itRunsTheWorkflowsOfTheFolderAndStopsInOrder() throws Exception {
    Jars.naming("Slow")
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
                      io.millrace.server.Meeting.pass();
                      return Next.moveTo("done", "by a jar");
                    })
                    .end("done").build());
              }
            }
            """)
        .write(folder.resolve("slow.jar"));
    LoadedConfig config =
        Configs.of(
            "database.url",
            "jdbc:h2:file:" + folder.resolve("data"),
            "workflows.folder",
            folder.toString());
    List<String> story;
    long id;
    try (Server server = Server.start(config, FakeWeb::new)) {
      assertThat(server.isReady()).isTrue();
      story = ((FakeWeb) server.web()).story;
      id = server.engine().client().start(StartRequest.of("slow", "x")).id();
      assertThat(Meeting.BEGUN.await(20, TimeUnit.SECONDS)).isTrue();
      Meeting.GO_ON.countDown();
    }
    assertThat(story)
        .containsExactly("opened, ready false", "closed, ready false, executors stopped true");
    try (Server again = Server.start(config, FakeWeb::new)) {
      assertThat(again.engine().client().get(id).position().status())
          .isEqualTo(InstanceStatus.FINISHED);
      assertThat(Banner.of(again, config.config(), Duration.ofMillis(1234)))
          .contains("address    http://127.0.0.1:1/")
          .contains("(one node only)")
          .contains("executor   2 in group millrace")
          .contains("workflows  1 from " + folder)
          .contains("ready after 1.2 s");
    }
  }

  @Test
  void aJarThatCannotBeUsedIsKnownAndTheRestStarts() throws IOException {
    Jars.workflow("Good", "good", 1).write(folder.resolve("good.jar"));
    Jars.naming("Missing").write(folder.resolve("bad.jar"));
    LoadedConfig config = Configs.of("workflows.folder", folder.toString());
    try (Server server = Server.start(config, FakeWeb::new)) {
      assertThat(server.plugins().problems()).extracting("name").containsExactly("bad.jar");
      assertThat(server.engine().client().start(StartRequest.of("good", "x")).id()).isPositive();
      assertThat(Banner.of(server, config.config(), Duration.ZERO)).contains("; 1 left out");
    }
  }

  @Test
  void whatCannotBeOpenedLeavesNothingOpen() {
    LoadedConfig config = Configs.of("database.url", "jdbc:h2:file:" + folder.resolve("data"));
    Web.Opener broken =
        parts -> {
          throw new MillraceException("no port");
        };
    assertThatThrownBy(() -> Server.start(config, broken)).hasMessage("no port");
    Server.start(config, FakeWeb::new).close();
  }

  @Test
  void aDatabaseThatIsInUseIsNamed() throws Exception {
    String url = "jdbc:h2:file:" + folder.resolve("data");
    // H2 once more, under another class loader, knows as little of ours as another process does
    URL h2 = org.h2.Driver.class.getProtectionDomain().getCodeSource().getLocation();
    try (URLClassLoader other =
            new URLClassLoader(new URL[] {h2}, ClassLoader.getPlatformClassLoader());
        Connection held =
            ((Driver) other.loadClass("org.h2.Driver").getConstructor().newInstance())
                .connect(url, new Properties())) {
      assertThat(held.isValid(1)).isTrue();
      LoadedConfig config = Configs.of("database.url", url);
      assertThatThrownBy(() -> Server.start(config, FakeWeb::new))
          .isInstanceOf(DatabaseInUseException.class)
          .hasMessageContaining("is in use by another process; H2 is for one at a time");
    }
  }

  @Test
  void aDatabaseThatDoesNotAnswerIsNamedWithoutItsPassword() {
    LoadedConfig config =
        Configs.of("database.url", "jdbc:postgresql://127.0.0.1:1/x?password=hidden");
    assertThatThrownBy(() -> Server.start(config, FakeWeb::new))
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
            () -> exposed("http.bind", "0.0.0.0", "security.admin.password", "a long one"))
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
                "x"))
        .hasMessageContaining("security.enabled = true");
    exposed("http.bind", "0.0.0.0", "http.tls.mode", "none", "security.admin.password", "x");
    exposed("http.bind", "::1");
    exposed("http.bind", "localhost");
    Exposure.check(Configs.of("http.bind", "::", "http.tls.mode", "proxy").config(), () -> true);
    assertThatThrownBy(() -> exposed("http.bind", "no.such.host.invalid"))
        .hasMessageContaining("is not known on this machine");
  }

  private static void exposed(String... keysAndValues) {
    Exposure.check(Configs.of(keysAndValues).config(), () -> false);
  }
}
