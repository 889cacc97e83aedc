package io.millrace.springboot;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.lifecycle.EngineSettings;
import io.millrace.store.sql.SchemaMode;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class MillracePropertiesTest {

  private static MillraceProperties bind(Map<String, String> values) {
    return new Binder(new MapConfigurationPropertySource(values))
        .bindOrCreate(MillraceProperties.PREFIX, MillraceProperties.class);
  }

  @Test
  void withoutPropertiesTheDefaultsOfTheEngineHold() {
    assertThat(bind(Map.of()).applyTo(EngineSettings.defaults()))
        .isEqualTo(EngineSettings.defaults());
  }

  @Test
  void everyPropertyReachesTheSettings() {
    MillraceProperties properties =
        bind(
            Map.ofEntries(
                Map.entry("millrace.executor-group", "shop"),
                Map.entry("millrace.node-name", "a"),
                Map.entry("millrace.runs-instances", "false"),
                Map.entry("millrace.schema", "validate"),
                Map.entry("millrace.concurrency", "8"),
                Map.entry("millrace.queue-size", "9"),
                Map.entry("millrace.max-sleep", "2s"),
                Map.entry("millrace.lease.ttl", "60s"),
                Map.entry("millrace.lease.renew-every", "7s"),
                Map.entry("millrace.max-recoveries", "3"),
                Map.entry("millrace.stuck-after", "4m"),
                Map.entry("millrace.drain-grace", "5s"),
                Map.entry("millrace.retention.archive-after", "1d"),
                Map.entry("millrace.retention.delete-after", "2d"),
                Map.entry("millrace.retention.delete-archived-after", "3d"),
                Map.entry("millrace.retention.delete-audit-after", "4d")));
    assertThat(properties.schema()).isEqualTo(SchemaMode.VALIDATE);
    assertThat(properties.applyTo(EngineSettings.defaults()))
        .isEqualTo(
            EngineSettings.defaults()
                .executorGroup("shop")
                .nodeName("a")
                .runsInstances(false)
                .concurrency(8)
                .queueSize(9)
                .maxSleep(Duration.ofSeconds(2))
                .lease(Duration.ofSeconds(60), Duration.ofSeconds(7))
                .maxRecoveries(3)
                .stuckAfter(Duration.ofMinutes(4))
                .drainGrace(Duration.ofSeconds(5))
                .retention(
                    new EngineSettings.Retention(
                        Duration.ofDays(1),
                        Duration.ofDays(2),
                        Duration.ofDays(3),
                        Duration.ofDays(4))));
  }

  @Test
  void aLeaseAloneIsRenewedAsOftenAsTheDefault() {
    assertThat(
            bind(Map.of("millrace.lease.ttl", "60s"))
                .applyTo(EngineSettings.defaults())
                .leasing()
                .renewEvery())
        .isEqualTo(Duration.ofSeconds(12));
  }

  @Test
  void everyPropertyIsDescribed() throws IOException {
    List<String> names = names(MillraceProperties.PREFIX, MillraceProperties.class);
    assertThat(described()).containsExactlyElementsOf(names);
    assertThat(
            Pattern.compile("(?m)^\\| `(millrace\\.[^`]+)`")
                .matcher(Files.readString(page()))
                .results()
                .map((MatchResult row) -> row.group(1)))
        .containsExactlyElementsOf(names);
  }

  private static List<String> names(String prefix, Class<?> type) {
    List<String> names = new ArrayList<>();
    for (RecordComponent one : type.getRecordComponents()) {
      String name =
          prefix + "." + one.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
      if (one.getType().isRecord()) {
        names.addAll(names(name, one.getType()));
      } else {
        names.add(name);
      }
    }
    return names;
  }

  private static List<String> described() throws IOException {
    try (InputStream file =
        MillracePropertiesTest.class.getResourceAsStream(
            "/META-INF/spring-configuration-metadata.json")) {
      List<String> names = new ArrayList<>();
      for (JsonNode property : JsonMapper.shared().readTree(file).get("properties")) {
        assertThat(property.get("description").asString()).endsWith(".");
        names.add(property.get("name").asString());
      }
      return names;
    }
  }

  private static Path page() {
    Path folder = Path.of("").toAbsolutePath();
    while (!Files.exists(folder.resolve("docs/spring-boot.md"))) {
      folder = folder.getParent();
    }
    return folder.resolve("docs/spring-boot.md");
  }
}
