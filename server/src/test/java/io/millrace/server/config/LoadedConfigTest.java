package io.millrace.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.tuple;

import io.millrace.instance.TimeLimits;
import io.millrace.lifecycle.EngineSettings;
import io.millrace.store.sql.SchemaMode;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LoadedConfigTest {

  private static final Map<String, String> NONE = Map.of();

  @TempDir private Path folder;

  private Path file(String text) throws IOException {
    return Files.writeString(folder.resolve("server-config.json"), text);
  }

  private static ServerConfig config(ConfigSources configSources) {
    return LoadedConfig.read(configSources).config();
  }

  private static List<String> problems(ConfigSources configSources) {
    InvalidConfigException thrown =
        catchThrowableOfType(InvalidConfigException.class, () -> LoadedConfig.read(configSources));
    assertThat(thrown).as("the refusal").isNotNull();
    return thrown.problems();
  }

  private List<String> problems(String text) throws IOException {
    return problems(new ConfigSources(NONE, NONE, file(text)));
  }

  @Test
  void nothingGivenIsTheDefaults() {
    ServerConfig config = config(new ConfigSources(NONE, NONE, null));
    assertThat(config.http().bind()).isEqualTo("127.0.0.1");
    assertThat(config.http().port()).isEqualTo(7500);
    assertThat(config.http().limits())
        .isEqualTo(new HttpConfig.Limits(1_000_000, Duration.ofSeconds(30)));
    assertThat(config.http().tls().mode()).isNull();
    assertThat(config.engine()).isEqualTo(EngineSettings.defaults());
    assertThat(config.security().enabled()).isTrue();
    assertThat(config.security().oidc()).isNull();
    assertThat(config.secrets().keys()).isEmpty();
    assertThat(config.observe().logs()).isEqualTo(new ObservabilityConfig.Logs(200, 4000, 64_000));
    assertThat(config.work().jars()).isEqualTo(Path.of("workflowjar"));
  }

  @Test
  void aFileInHoconSetsEverything() throws IOException {
    Path file =
        file(
            """
            # remarks are welcome
            http { bind = 0.0.0.0, port = 8443, contextPath = /flows
              limits { body = 2 MiB, requestTime = 5 s }
              tls { mode = keystore, keyStore = keys.p12, password = "k3y" } }
            database { url = "jdbc:postgresql://db/millrace", user = m, password = p, poolSize = 8 }
            engine {
              executor { group = billing, thread.count = 4, timeout.seconds = 30 }
              dispatcher { sleep.ms = 200, channel.patience.seconds = 45 }
              retention { archiveAfter = 30 days, deleteAuditAfter = 90 days, deleteArchivedAfter = P365D }
            }
            workflows.folder = jars
            security { sessionHours = 2, admin { user = anna, password = "first of all" }
              oidc { issuer = "https://id.example", clientId = c, clientSecret = s
                redirectBase = "https://flows.example", roles { admin = [ops], viewer = [all, guests] } } }
            secrets { keys { k1 = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=" } }
            observe {
              alerts = [ { name = many, when = failed, threshold = 20, over = 1 h, mute = 2 h
                           webhook = "https://hooks.example/x", secret = k3y, mail = ["a@example.org"]
                           type = order },
                         { name = idle, when = noExecutor, webhook = "https://hooks.example/y" } ]
              mail { host = mx.example, from = "millrace@example.org", tls = none, port = 25 }
              webhooks.allow = [hooks.example]
            }
            """);
    ServerConfig config = config(new ConfigSources(NONE, NONE, file));
    assertThat(config.http().limits())
        .isEqualTo(new HttpConfig.Limits(2 * 1024 * 1024, Duration.ofSeconds(5)));
    assertThat(config.http().tls())
        .isEqualTo(new HttpConfig.Tls(HttpConfig.TlsMode.KEYSTORE, Path.of("keys.p12"), "k3y"));
    assertThat(config.database())
        .isEqualTo(
            new DatabaseConfig("jdbc:postgresql://db/millrace", "m", "p", 8, SchemaMode.CREATE));
    assertThat(config.engine().executorGroup()).isEqualTo("billing");
    assertThat(config.engine().dispatching().channelPatience()).isEqualTo(Duration.ofSeconds(45));
    assertThat(config.engine().leasing().ttl()).isEqualTo(Duration.ofSeconds(30));
    assertThat(config.engine().retention())
        .isEqualTo(
            new EngineSettings.Retention(
                Duration.ofDays(30), null, Duration.ofDays(365), Duration.ofDays(90)));
    assertThat(config.security().oidc())
        .isEqualTo(
            new SecurityConfig.Oidc(
                URI.create("https://id.example"),
                "c",
                "s",
                URI.create("https://flows.example"),
                "groups",
                new SecurityConfig.Roles(List.of("ops"), List.of(), List.of("all", "guests"))));
    assertThat(config.secrets().active()).isEqualTo("k1");
    assertThat(config.secrets().forEngine().ids()).containsExactly("k1");
    assertThat(config.observe().alerts())
        .containsExactly(
            new ObservabilityConfig.Alert(
                "many",
                ObservabilityConfig.AlertCondition.FAILED,
                "order",
                20,
                Duration.ofHours(1),
                new ObservabilityConfig.Target(
                    URI.create("https://hooks.example/x"), "k3y", List.of("a@example.org")),
                Duration.ofHours(2)),
            new ObservabilityConfig.Alert(
                "idle",
                ObservabilityConfig.AlertCondition.NO_EXECUTOR,
                null,
                1,
                Duration.ofMinutes(5),
                new ObservabilityConfig.Target(
                    URI.create("https://hooks.example/y"), null, List.of()),
                Duration.ofMinutes(30)));
  }

  @Test
  void hugeTimesAreLimited() throws IOException {
    for (String time : List.of("PT2562047788015215H", "9999999999 days", "P9999999D")) {
      ServerConfig config =
          config(
              new ConfigSources(
                  NONE,
                  NONE,
                  file(
                      "http { unreadyTime = \"%1$s\", limits.requestTime = \"%1$s\" }"
                          .formatted(time))));
      assertThat(config.http().limits().requestTime()).isEqualTo(TimeLimits.MAX_WAIT);
      assertThat(config.node().unreadyTime()).isEqualTo(TimeLimits.MAX_WAIT);
    }
  }

  @Test
  void plainJsonWithDotsInItsNamesIsReadToo() throws IOException {
    Path file =
        file(
            "{\"http.port\": 1, \"nflow.executor.group\": \"old\", \"nflow\": {\"autostart\":"
                + " false}}");
    ServerConfig config = config(new ConfigSources(NONE, NONE, file));
    assertThat(config.http().port()).isEqualTo(1);
    assertThat(config.engine().executorGroup()).isEqualTo("old");
    assertThat(config.engine().runsInstances()).isFalse();
  }

  @Test
  void thePlacesHaveAnOrder() throws IOException {
    Path file = file("engine.executor.group = file\nnflow.executor.group = nflow-file");
    Path alias =
        Files.writeString(folder.resolve("alias.conf"), "nflow.executor.group = nflow-file");
    Map<String, String> environment =
        Map.of(
            "MILLRACE_ENGINE_EXECUTOR_GROUP", "variable",
            "NFLOW_EXECUTOR_GROUP", "nflow-variable");
    Map<String, String> nflowVariable = Map.of("NFLOW_EXECUTOR_GROUP", "nflow-variable");
    Map<String, String> properties =
        Map.of(
            "millrace.engine.executor.group", "property",
            "nflow.executor.group", "nflow-property");
    Map<String, String> nflowProperty = Map.of("nflow.executor.group", "nflow-property");

    assertThat(group(properties, environment, file))
        .isEqualTo("property from system property millrace.engine.executor.group");
    assertThat(group(nflowProperty, environment, file))
        .isEqualTo("variable from environment variable MILLRACE_ENGINE_EXECUTOR_GROUP");
    assertThat(group(nflowProperty, nflowVariable, file))
        .isEqualTo("file from server-config.json line 1");
    assertThat(group(nflowProperty, nflowVariable, alias))
        .isEqualTo("nflow-property from system property nflow.executor.group");
    assertThat(group(NONE, nflowVariable, alias))
        .isEqualTo("nflow-variable from environment variable NFLOW_EXECUTOR_GROUP");
    assertThat(group(NONE, NONE, alias)).isEqualTo("nflow-file from alias.conf line 1");
    assertThat(group(NONE, NONE, null)).isEqualTo("millrace from default");
  }

  private static String group(
      Map<String, String> properties, Map<String, String> environment, Path file) {
    return LoadedConfig.read(new ConfigSources(properties, environment, file)).settings().stream()
        .filter(configSetting -> configSetting.key().equals("engine.executor.group"))
        .map(configSetting -> configSetting.value() + " from " + configSetting.origin())
        .findFirst()
        .orElseThrow();
  }

  @Test
  void everyKeyCanBeAVariableOrAProperty() throws IOException {
    Map<String, String> environment =
        Map.of(
            "MILLRACE_HTTP_CONTEXTPATH", "/a",
            "MILLRACE_SECURITY_OIDC_ROLES_ADMIN", "ignored, without an issuer",
            "MILLRACE_SECRETS_KEYS_OLD", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
            "MILLRACE_OBSERVE_ALERTS",
                "[{name: one, when: stuck, webhook: \"https://example.org\"}]");
    Map<String, String> properties =
        Map.of("millrace.secrets.active", "old", "millrace.observe.webhooks.allow", "a, b.example");
    Path file = file("observe.alerts = [{name: a, when: failed}, {name: b}]");
    ServerConfig config = config(new ConfigSources(properties, environment, file));
    assertThat(config.http().contextPath()).isEqualTo("/a");
    assertThat(config.secrets().active()).isEqualTo("old");
    assertThat(config.observe().alerts()).hasSize(1);
    assertThat(config.observe().alerts().getFirst().when())
        .isEqualTo(ObservabilityConfig.AlertCondition.STUCK);
    assertThat(config.observe().webhookHosts()).containsExactly("a", "b.example");
  }

  @Test
  void everythingThatIsWrongIsSaidAtOnce() throws IOException {
    Path file =
        file(
            """
            http {
              prot = 8080
              contextPath = "flows/"
            }
            engine.executor.timeout.seconds = 3
            databse { url = "jdbc:h2:mem:x" }
            nflow.dispatcher.slep.ms = 5
            """);
    Map<String, String> environment =
        Map.of("MILLRACE_HTTP_PORT", "many", "MILLRACE_HTTP_PRT", "1");
    Map<String, String> properties =
        Map.of("millrace.engine.retention.deleteAfter", "30", "millrace.security.enable", "true");
    assertThat(problems(new ConfigSources(properties, environment, file)))
        .containsExactlyInAnyOrder(
            "http.prot (server-config.json line 2): unknown; the nearest known key is http.port.",
            "http.contextPath = flows/ (server-config.json line 3): not allowed; expected '/' or a"
                + " path such as '/millrace', without a slash at its end.",
            "databse.url (server-config.json line 6): unknown; the nearest known key is"
                + " database.url.",
            "nflow.dispatcher.slep.ms (server-config.json line 7): unknown; the nearest known key"
                + " is nflow.dispatcher.sleep.ms.",
            "MILLRACE_HTTP_PORT = many (environment variable MILLRACE_HTTP_PORT): not"
                + " allowed; expected a whole number from 0 to 65535.",
            "MILLRACE_HTTP_PRT (environment variable MILLRACE_HTTP_PRT): unknown; the nearest known"
                + " variable is MILLRACE_HTTP_PORT.",
            "millrace.engine.retention.deleteAfter = 30 (system property"
                + " millrace.engine.retention.deleteAfter): not allowed; expected a time with its"
                + " unit, such as 500 ms, 10 s, 5 minutes, 2 h or 30 days, more than zero.",
            "millrace.security.enable (system property millrace.security.enable): unknown; the"
                + " nearest known key is millrace.security.enabled.",
            "engine.executor.timeout.seconds = 3, engine.executor.keepalive.seconds = 2: expected a"
                + " lease of at least twice the time between heartbeats.");
  }

  /** Java substitutes U+FFFD for a byte that its locale does not know. */
  @Test
  void whatTheLocaleHasLostIsRefusedAndNotShown() {
    Map<String, String> environment = Map.of("MILLRACE_SECURITY_ADMIN_PASSWORD", "p\uFFFDssword 1");
    assertThat(problems(new ConfigSources(Map.of(), environment, null)))
        .singleElement()
        .asString()
        .startsWith("MILLRACE_SECURITY_ADMIN_PASSWORD (environment variable ")
        .contains("LC_ALL=C.UTF-8")
        .doesNotContain("ssword 1");
  }

  @Test
  void variablesOfOthersAreLeftAlone() {
    Map<String, String> environment =
        Map.of(
            "MILLRACE_PORT_7500_TCP", "tcp://10.0.0.1:7500",
            "MILLRACE_SERVICE_HOST", "10.0.0.1",
            "MILLRACE_TEST_POSTGRES_URL", "x",
            "HOME", "/");
    assertThat(config(new ConfigSources(NONE, environment, null)).http().port()).isEqualTo(7500);
  }

  @Test
  void whatKubernetesSaysOfServicesIsLeftAlone() {
    Map<String, String> environment = new TreeMap<>();
    for (String service : List.of("MILLRACE_RABBITMQ", "MILLRACE_DATABASE", "MILLRACE_HTTP")) {
      environment.put(service + "_SERVICE_HOST", "10.0.0.1");
      environment.put(service + "_SERVICE_PORT", "5672");
      environment.put(service + "_SERVICE_PORT_AMQP_TLS", "5671");
      environment.put(service + "_PORT", "tcp://10.0.0.1:5672");
      environment.put(service + "_PORT_5672_TCP", "tcp://10.0.0.1:5672");
      environment.put(service + "_PORT_5672_TCP_PROTO", "tcp");
      environment.put(service + "_PORT_5672_TCP_PORT", "5672");
      environment.put(service + "_PORT_5672_TCP_ADDR", "10.0.0.1");
    }
    assertThat(config(new ConfigSources(NONE, environment, null)).http().port()).isEqualTo(7500);
    environment.put("MILLRACE_HTTP_PORT", "8080");
    assertThat(config(new ConfigSources(NONE, environment, null)).http().port()).isEqualTo(8080);
  }

  @Test
  void whatOnlyResemblesAServiceIsAMistake() {
    Map<String, String> environment =
        Map.of(
            "MILLRACE_RABBITMQ_PORT", "5672",
            "MILLRACE_RABBITMQ_SERVICE", "x",
            "MILLRACE_RABBITMQ_PORT_AMQP_TCP", "x",
            "MILLRACE_RABBITMQ_PORT_5672_TCP_NAME", "x",
            "MILLRACE_DATABASE_HOST", "x",
            "MILLRACE_DATABASE_URI", "tcp://10.0.0.1:5672");
    assertThat(problems(new ConfigSources(NONE, environment, null)))
        .hasSize(6)
        .allSatisfy(problem -> assertThat(problem).contains("unknown; the nearest known variable"));
  }

  @Test
  void oneKeyMayNeedAnother() throws IOException {
    assertThat(problems("http.tls.mode = keystore"))
        .containsExactly(
            "http.tls.keyStore: missing, because http.tls.mode is keystore; expected text that is"
                + " not blank.");
    assertThat(problems("security.oidc.clientId = c"))
        .singleElement()
        .asString()
        .startsWith("security.oidc.issuer: missing");
    assertThat(problems("security.oidc { issuer = \"https://a\", clientId = \" \" }"))
        .hasSize(3)
        .anyMatch(p -> p.contains("clientId =") && p.contains("not allowed"))
        .anyMatch(p -> p.startsWith("security.oidc.clientSecret: missing"))
        .anyMatch(p -> p.startsWith("security.oidc.redirectBase: missing"));
    assertThat(
            problems(
                "secrets { active = b, keys { a = \"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\""
                    + " } }"))
        .containsExactly(
            "secrets.active = b: there is no such key; expected one of secrets.keys, [a].");
    assertThat(problems("observe.alerts = [{ name = a, when = often }, 5]"))
        .hasSize(2)
        .anyMatch(p ->
            p.contains("noExecutor, oldWaiting, continuousDown, periodMissed, retentionBehind"))
        .anyMatch(p -> p.startsWith("observe.alerts[1] (server-config.json line 1): not a value"));
  }

  @Test
  void aFileThatCannotBeReadIsNamedWithItsLine() throws IOException {
    assertThat(problems(new ConfigSources(NONE, NONE, folder.resolve("none.json"))))
        .singleElement()
        .asString()
        .contains("none.json", "cannot be read");
    assertThat(problems("http {\n port = = 5\n}"))
        .singleElement()
        .asString()
        .contains("server-config.json: 2");
  }

  @Test
  void aFirstPasswordIsAsLongAsAllOthers() throws IOException {
    assertThat(problems("security.admin.password = short"))
        .singleElement()
        .asString()
        .contains("security.admin.password = ***", "12 to 200 characters");
  }

  @Test
  void secretsAreNeverShown() throws IOException {
    Path file =
        file(
            """
            database { url = "jdbc:postgresql://db/x?user=u&password=hidden1&ssl=true", password = hidden2 }
            secrets.keys.k = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
            security.admin.password = hidden3hidden3
            http.tls.password = hidden4
            security.oidc { issuer = "https://a", clientId = c, clientSecret = hidden5, redirectBase = "https://b" }
            observe.mail { host = h, from = "a@b", password = hidden6 }
            observe.alerts = [{ name = a, when = stuck, webhook = "https://hooks.example/hidden7" }]
            """);
    LoadedConfig loaded = LoadedConfig.read(new ConfigSources(NONE, NONE, file));
    assertThat(loaded.toString()).doesNotContain("hidden", "AAAA");
    assertThat(loaded.settings())
        .extracting(ConfigSetting::key, ConfigSetting::value, ConfigSetting::origin)
        .contains(
            tuple("secrets.keys.k", "***", "server-config.json line 2"),
            tuple(
                "database.url",
                "jdbc:postgresql://db/x?user=u&password=***&ssl=true",
                "server-config.json line 1"));
    assertThat(loaded.settings()).extracting(ConfigSetting::meaning).allMatch(m -> !m.isBlank());
    assertThat(problems("secrets.keys.k = hidden"))
        .singleElement()
        .asString()
        .doesNotContain("hidden");
  }
}
