package io.millrace.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.millrace.WorkflowClient;
import io.millrace.instance.MillraceException;
import io.millrace.instance.StartRequest;
import io.millrace.server.config.LoadedConfig;
import io.millrace.server.plugin.JarCompiler;
import io.millrace.server.plugin.PluginProblem;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests what a jar registers besides its workflows. */
class JarHostingTest {

  @TempDir private Path folder;

  @BeforeEach
  void forget() {
    JarCallLog.CALLS.clear();
  }

  private JarCompiler jar(String provider, String body) throws IOException {
    return JarCompiler.naming(provider)
        .with("jar-name.txt", provider)
        .compiled(
            provider,
            """
            import io.millrace.*;
            import io.millrace.codec.*;
            import io.millrace.continuous.*;
            import io.millrace.definition.*;
            import io.millrace.server.JarCallLog;
            import java.util.*;
            public class %s implements WorkflowProvider {
              public void register(ProviderRegistry registry) {
                %s
              }
              static class Loud implements Codec {
                private final Codec json = new io.millrace.jackson3.Jackson3Codec();
                public String encode(Object value) {
                  return json.encode("noted".equals(value) ? "NOTED" : value);
                }
                public Object decode(String text, java.lang.reflect.Type type) {
                  return json.decode(text, type);
                }
              }
            }
            """
                .formatted(provider, body));
  }

  private MillraceServer start() {
    return MillraceServer.start(config(), ServerExtensions.NONE);
  }

  private LoadedConfig config() {
    return TestConfigs.of("workflows.folder", folder.toString());
  }

  @Test
  void allThatAJarRegistersIsUsedWithTheClassesOfTheJar() throws Exception {
    jar(
            "Full",
            """
            registry
                .listener(event -> {
                  if (event.toString().contains("greeting")) {
                    JarCallLog.add("listener");
                  }
                })
                .interceptor((ctx, chain) -> {
                  if (ctx.type().equals("greeting")) {
                    JarCallLog.add("interceptor");
                  }
                  return chain.proceed();
                })
                .codec(new Loud())
                .onWarmUp(() -> JarCallLog.add("warm-up"))
                .onClose(() -> JarCallLog.add("closed first"))
                .onClose(() -> JarCallLog.add("closed last"));
            """)
        .write(folder.resolve("full.jar"));
    try (MillraceServer server = startWithGreeting()) {
      WorkflowClient client = server.engine().client();
      long id = client.start(StartRequest.of("greeting", "noted")).id();
      client.await(id, Patience.LIMIT);
      assertThat(client.history(id).getLast().outcome().reason()).isEqualTo("NOTED");
    }
    assertThat(JarCallLog.CALLS)
        .contains(
            "listener in Full",
            "interceptor in Full",
            "handler in Greeting",
            "warm-up in Full",
            "trigger in Greeting")
        .endsWith("closed last in Full", "closed first in Full");
  }

  /** Starts a server with a second jar, whose trigger never fires. */
  private MillraceServer startWithGreeting() throws IOException {
    JarCompiler.naming("Greeting")
        .with("jar-name.txt", "Greeting")
        .compiled(
            "Greeting",
            """
            import io.millrace.*;
            import io.millrace.continuous.*;
            import io.millrace.definition.*;
            import io.millrace.server.JarCallLog;
            public class Greeting implements WorkflowProvider {
              public void register(ProviderRegistry registry) {
                registry.continuous(ContinuousWorkflow.of("greeting", new Never())
                    .handler((context, event) -> {
                      JarCallLog.add("handler");
                      return Next.done(event.payload(String.class));
                    }));
              }
              static class Never implements Trigger {
                public String describe() {
                  return "nothing";
                }
                public Source open(TriggerContext scope) {
                  return () -> {
                    JarCallLog.add("trigger");
                    return PollResult.untilWoken();
                  };
                }
              }
            }
            """)
        .write(folder.resolve("greeting.jar"));
    return start();
  }

  @Test
  void aServerWithTwoCodecsDoesNotStart() throws IOException {
    jar("One", "registry.codec(new Loud());").write(folder.resolve("one.jar"));
    jar("Two", "registry.codec(new Loud());").write(folder.resolve("two.jar"));
    assertThatThrownBy(this::start)
        .isInstanceOf(MillraceException.class)
        .hasMessageContaining("'one.jar' and 'two.jar' each register a codec");
  }

  @Test
  void aServerWhoseJarWithTheCodecFailsDoesNotStart() throws IOException {
    jar(
            "One",
            "registry.codec(new Loud()).onClose(() -> JarCallLog.add(\"closed\"));"
                + " if (true) throw new IllegalStateException(\"no licence\");")
        .write(folder.resolve("one.jar"));
    assertThatThrownBy(this::start)
        .isInstanceOf(MillraceException.class)
        .hasMessageContaining("The jar 'one.jar' registers a codec, and cannot be used.")
        .hasMessageContaining("no licence");
    assertThat(JarCallLog.CALLS).containsExactly("closed in One");
  }

  @Test
  void theSecondOfTwoJarsWithOneNameIsLeftOutAndBothAreNamed() throws IOException {
    String inbox =
        "registry.continuous(ContinuousWorkflow.of(\"%s\", Triggers.webhook())"
            + ".runs(WorkflowDefinition.of(\"%s\").start(\"s\", ctx -> Next.done(\"\")).build()));";
    String check = "registry.healthCheck(\"disk\", () -> {});";
    jar("One", inbox.formatted("inbox", "one") + check).write(folder.resolve("a.jar"));
    jar("Two", inbox.formatted("inbox", "two")).write(folder.resolve("b.jar"));
    jar("Three", check).write(folder.resolve("c.jar"));
    jar("Four", inbox.formatted("other", "one")).write(folder.resolve("d.jar"));
    jar("Five", inbox.formatted("millrace-five", "five")).write(folder.resolve("e.jar"));
    jar("Six", "registry.continuous(ContinuousWorkflow.of(\"six\", Triggers.webhook()));")
        .write(folder.resolve("f.jar"));
    try (MillraceServer server = start()) {
      assertThat(server.plugins().problems())
          .extracting(PluginProblem::name, PluginProblem::problem)
          .containsExactly(
              tuple("b.jar", "It has continuous workflow 'inbox', which 'a.jar' has too."),
              tuple("c.jar", "It has health check 'disk', which 'a.jar' has too."),
              tuple("d.jar", "It has workflow one version 1, which 'a.jar' has too."),
              tuple(
                  "e.jar",
                  "It has continuous workflow 'millrace-five'; names that begin with millrace- are"
                      + " the server's own."),
              tuple(
                  "f.jar",
                  "Its provider failed: InvalidRequestException: The continuous workflow 'six' does"
                      + " nothing with its events: call handler(...) or runs(...)."));
      assertThat(server.engine().continuous().find("inbox").orElseThrow().identity().type())
          .isEqualTo("one");
    }
  }
}
