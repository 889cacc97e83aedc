package io.millrace.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.tuple;

import io.millrace.lifecycle.BoundedThreadPool;
import io.millrace.rabbitmq.RabbitSettings;
import io.millrace.redis.connect.RedisSettings;
import io.millrace.report.ReportSettings;
import io.millrace.sequence.SequenceSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the keys of task sequences, channels and reports. */
class WorkConfigTest {

  private static final Map<String, String> NONE = Map.of();

  /** A configuration file that other programs share. */
  private static final String SHARED =
      """
      {
        "graph": { "endpoint": "http://localhost:7474", "authToken": "x" },
        "driverLocation": "/opt/x",
        "assessmentReport": {
          "outputDatasource": "NEO4J",
          "maxWorkflowRetries": 2,
          "chartVendor": "Fusion",
          "fusionExportAPIUrl": "http://localhost:1337/api/v2.0/export"
        },
        "workflowDetails": {
          "corePoolSize": 6,
          "maximumPoolSize": 30,
          "keepAliveTime": 25,
          "waitingQueueSize": 11,
          "workflowExecutorCron": "0/30 0 0 ? * * *",
          "workflowRetryExecutorCron": "0/1 0 0 ? * * *",
          "workflowAutoCorrectionSchedular": "0 */1 * ? * *"
        }
      }
      """;

  @TempDir private Path folder;

  private Path file(String text) throws IOException {
    return Files.writeString(folder.resolve("server-config.json"), text);
  }

  private LoadedConfig loaded(String text) throws IOException {
    return LoadedConfig.read(new ConfigSources(NONE, NONE, file(text)));
  }

  private WorkConfig work(String text) throws IOException {
    return loaded(text).config().work();
  }

  private List<String> problems(String text) throws IOException {
    ConfigSources configSources = new ConfigSources(NONE, NONE, file(text));
    InvalidConfigException thrown =
        catchThrowableOfType(InvalidConfigException.class, () -> LoadedConfig.read(configSources));
    assertThat(thrown).as("the refusal").isNotNull();
    return thrown.problems();
  }

  @Test
  void nothingGivenIsTheDefaults() throws IOException {
    WorkConfig workConfig = work("");
    assertThat(workConfig.sequences()).isEqualTo(SequenceSettings.defaults());
    assertThat(workConfig.rabbit()).isNull();
    assertThat(workConfig.jars()).isEqualTo(Path.of("workflowjar"));
    assertThat(workConfig.sequenceFiles()).isEqualTo(Path.of("sequences"));
    assertThat(workConfig.reports())
        .isEqualTo(
            new WorkConfig.Reports(
                Path.of("reports"), ZoneId.of("UTC"), ReportSettings.defaults(), null));
  }

  @Test
  void aFileThatOtherProgramsShareIsReadAndItsOtherSectionsAreNamed() throws IOException {
    LoadedConfig loaded = loaded(SHARED);
    SequenceSettings sequences = loaded.config().work().sequences();
    assertThat(sequences.chunks())
        .isEqualTo(new BoundedThreadPool.Size(6, 30, Duration.ofMinutes(25), 11));
    assertThat(sequences.retry().maxAttempts()).as("one attempt and two retries").isEqualTo(3);
    assertThat(String.valueOf(sequences.crons().startCron())).isEqualTo("0/30 0 0 ? * * *");
    assertThat(String.valueOf(sequences.crons().retryCron())).isEqualTo("0/1 0 0 ? * * *");
    assertThat(String.valueOf(sequences.crons().autoCorrectionCron())).isEqualTo("0 */1 * ? * *");
    ReportSettings reports = loaded.config().work().reports().settings();
    assertThat(reports.outputDatasource()).isEqualTo("NEO4J");
    assertThat(reports.explanations())
        .hasSize(2)
        .anyMatch(text -> text.contains("chartVendor=Fusion has no effect"))
        .anyMatch(text -> text.contains("fusionExportAPIUrl has no effect"));
    assertThat(loaded.notes())
        .containsExactly(
            "server-config.json has sections that are not Millrace's, and are passed over:"
                + " [driverLocation, graph].");
  }

  @Test
  void whatLooksLikeASlipIsRefusedInSuchAFileToo() throws IOException {
    assertThat(problems("{\"workflowDetails\": {\"corePoolSize\": 6}, \"htpp\": {\"port\": 1}}"))
        .singleElement()
        .asString()
        .startsWith("htpp.port (server-config.json line 1): unknown; the nearest known key is");
    assertThat(problems("workflowDetails { corePoolSise = 6 }"))
        .singleElement()
        .asString()
        .contains("the nearest known key is workflowDetails.corePoolSize");
    assertThat(problems("graph { endpoint = x }"))
        .as("a file of this program alone")
        .singleElement()
        .asString()
        .contains("unknown");
  }

  @Test
  void aCronThatCannotBeReadIsExplained() throws IOException {
    assertThat(problems("workflowDetails.workflowExecutorCron = \"0 99 * * * ?\""))
        .singleElement()
        .asString()
        .startsWith(
            "workflowDetails.workflowExecutorCron = 0 99 * * * ? (server-config.json line 1): not"
                + " allowed; expected a cron of six or seven fields")
        .contains("99");
  }

  @Test
  void sizesOfThePoolFitEachOther() throws IOException {
    assertThat(problems("workflowDetails { corePoolSize = 9, maximumPoolSize = 3 }"))
        .containsExactly(
            "workflowDetails.corePoolSize = 9, workflowDetails.maximumPoolSize = 3: expected a"
                + " maximum that is not below the core.");
  }

  @Test
  void redisIsReadAndItsPasswordIsShownNowhere() throws IOException {
    assertThat(work("").redis()).isNull();
    assertThat(work("redis.uri = \" \"").redis()).isNull();
    LoadedConfig loaded =
        loaded(
            """
            redis {
              uri = "rediss://cache.example.org/3", user = "a@b", password = "hid den+"
              connectTimeout = 300 ms, timeout = 2 s
            }
            """);
    assertThat(loaded.config().work().redis())
        .isEqualTo(
            RedisSettings.of("rediss://a%40b:hid%20den%2B@cache.example.org/3")
                .connectTimeout(Duration.ofMillis(300))
                .timeout(Duration.ofSeconds(2)));
    assertThat(loaded.config().toString() + loaded.settings()).doesNotContain("hid");
    assertThat(
            work("redis { uri = \"redis://any\", sentinel { master = m, nodes = [\"s1:26379\","
                    + " \"redis://:pw@s2\"] } }")
                .redis())
        .isEqualTo(RedisSettings.of("redis://any").sentinel("m", "s1:26379", "redis://:pw@s2"));
  }

  @Test
  void whatIsWrongWithRedisIsToldWithoutThePassword() throws IOException {
    assertThat(problems("redis.uri = \"http://:hidden@mq\""))
        .containsExactly(
            "redis.uri and the keys beside it: The URI of Redis has the scheme 'http'; expected"
                + " redis://user:password@host:port/database.");
    assertThat(problems("redis { uri = \"redis://h\", user = u }"))
        .containsExactly(
            "redis.uri and the keys beside it: redis.user is set, but not redis.password.");
    assertThat(problems("redis { uri = \"redis://:hidden@h\", password = hidden }"))
        .singleElement()
        .asString()
        .contains("give the login in one place")
        .doesNotContain("hidden");
    assertThat(problems("redis { uri = \"redis://h\", sentinel.nodes = [s] }"))
        .singleElement()
        .asString()
        .contains("redis.sentinel.master");
  }

  @Test
  void rabbitMqIsReadAndItsPasswordIsShownNowhere() throws IOException {
    LoadedConfig loaded =
        loaded(
            """
            rabbitmq {
              uri = "amqps://mill:hidden@mq.example.org/flows", exchange = flows
              prefetch = 5, confirmLimit = 9 s, deliveryLimit = 50
            }
            """);
    assertThat(loaded.config().work().rabbit())
        .isEqualTo(
            RabbitSettings.of("amqps://mill:hidden@mq.example.org/flows")
                .exchange("flows")
                .prefetch(5)
                .confirmLimit(Duration.ofSeconds(9))
                .deliveryLimit(50));
    assertThat(loaded.settings())
        .extracting(ConfigSetting::key, ConfigSetting::value)
        .contains(tuple("rabbitmq.uri", "***"));
    assertThat(loaded.toString()).doesNotContain("hidden");
    assertThat(work("rabbitmq.uri = \"\"").rabbit()).isNull();
    assertThat(problems("rabbitmq.uri = \"http://mill:hidden@mq\""))
        .containsExactly(
            "rabbitmq.uri and the keys beside it: The URI of RabbitMQ has the scheme 'http';"
                + " expected amqp://user:password@host:port/vhost.");
    assertThat(problems("rabbitmq { uri = \"amqp://mq\", confirmLimit = 1 ms }"))
        .singleElement()
        .asString()
        .contains("confirmLimit");
  }

  @Test
  void foldersAreBelowHome() throws IOException {
    WorkConfig workConfig =
        work(
            """
            home = /srv/mill
            report { folder = /etc/mill/reports, zone = Europe/Berlin
              git { repository = /srv/code/mill.git, title = The mill } }
            """);
    assertThat(workConfig.home()).isEqualTo(Path.of("/srv/mill"));
    assertThat(workConfig.jars()).isEqualTo(Path.of("/srv/mill/workflowjar"));
    assertThat(workConfig.sequenceFiles()).isEqualTo(Path.of("/srv/mill/sequences"));
    assertThat(workConfig.reports().folder()).isEqualTo(Path.of("/etc/mill/reports"));
    assertThat(workConfig.reports().zone()).isEqualTo(ZoneId.of("Europe/Berlin"));
    assertThat(workConfig.reports().git())
        .isEqualTo(new WorkConfig.Git(Path.of("/srv/code/mill.git"), "The mill"));
    assertThat(work("report.git.repository = /srv/code").reports().git())
        .isEqualTo(new WorkConfig.Git(Path.of("/srv/code"), "code"));
    assertThat(problems("report.git.title = x"))
        .singleElement()
        .asString()
        .startsWith("report.git.repository: missing");
  }
}
