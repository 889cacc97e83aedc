package io.millrace.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsReaderTest {

  private static final Map<String, Function<EngineSettings, Object>> GETTERS =
      Map.of(
          "autostart", EngineSettings::runsInstances,
          "executor.group", EngineSettings::executorGroup,
          "executor.thread.count", s -> s.dispatching().concurrency(),
          "dispatcher.executor.queue.size", s -> s.dispatching().queueSize(),
          "dispatcher.sleep.ms", s -> s.dispatching().maxSleep().toMillis(),
          "executor.timeout.seconds", s -> s.leasing().ttl().toSeconds(),
          "executor.keepalive.seconds", s -> s.leasing().renewEvery().toSeconds(),
          "executor.maxRecoveries", s -> s.leasing().maxRecoveries(),
          "executor.stuckThreadThreshold.seconds", s -> s.guards().stuckAfter().toSeconds(),
          "dispatcher.await.termination.seconds", s -> s.drainGrace().toSeconds());

  @Test
  void nothingGivesTheDefaults() {
    assertThat(SettingsReader.read(Map.of())).isEqualTo(EngineSettings.defaults());
  }

  @ParameterizedTest
  @CsvSource({
    "autostart,false",
    "executor.group,other",
    "executor.thread.count,7",
    "dispatcher.executor.queue.size,0",
    "dispatcher.sleep.ms,250",
    "executor.timeout.seconds,60",
    "executor.keepalive.seconds,5",
    "executor.maxRecoveries,9",
    "executor.stuckThreadThreshold.seconds,11",
    "dispatcher.await.termination.seconds,0"
  })
  void everyKeyIsReadWithBothPrefixes(String key, String value) {
    for (String prefix : new String[] {"millrace.", "nflow."}) {
      EngineSettings read = SettingsReader.read(Map.of(prefix + key, " " + value + " "));
      assertThat(GETTERS.get(key).apply(read)).hasToString(value);
      assertThat(read).isNotEqualTo(EngineSettings.defaults());
    }
  }

  @Test
  void theNodeHasTheNameOfItsMachineUnlessItIsNamed() {
    assertThat(EngineSettings.defaults().node().name()).isNull();
    assertThat(SettingsReader.read(Map.of("millrace.executor.name", "left")))
        .isEqualTo(EngineSettings.defaults().nodeName("left"));
    assertThatThrownBy(() -> EngineSettings.defaults().nodeName(" "))
        .hasMessageContaining("node name is ' '");
  }

  @Test
  void leaseTimesAreReadTogether() {
    EngineSettings read =
        SettingsReader.read(
            Map.of(
                "millrace.executor.timeout.seconds", "100",
                "millrace.executor.keepalive.seconds", "50"));
    assertThat(read.leasing().ttl()).isEqualTo(Duration.ofSeconds(100));
    assertThat(read.leasing().renewEvery()).isEqualTo(Duration.ofSeconds(50));
  }

  @Test
  void leaseTimesThatDoNotFitNameBoth() {
    assertThatThrownBy(() ->
            SettingsReader.read(
                Map.of(
                    "nflow.executor.timeout.seconds", "99",
                    "nflow.executor.keepalive.seconds", "50")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll(
            "executor.timeout.seconds = 99", "executor.keepalive.seconds = 50", "at least twice");
  }

  @ParameterizedTest
  @ValueSource(strings = {"millrace.nonsense", "nflow.executor.threads", "millrace."})
  void unknownKeysAreRefusedWithTheKnownOnes(String name) {
    assertThatThrownBy(() -> SettingsReader.read(Map.of(name, "1")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("'" + name + "'", "executor.thread.count");
  }

  @Test
  void keysOfOthersAreLeftAlone() {
    assertThat(SettingsReader.read(Map.of("spring.name", "x", "millraceautostart", "x")))
        .isEqualTo(EngineSettings.defaults());
  }

  @ParameterizedTest
  @CsvSource({
    "autostart,yes",
    "autostart,TRUE",
    "executor.thread.count,0",
    "executor.thread.count,many",
    "executor.thread.count,''",
    "executor.thread.count,99999999999",
    "dispatcher.executor.queue.size,-1",
    "dispatcher.sleep.ms,0",
    "executor.timeout.seconds,x",
    "executor.keepalive.seconds,0",
    "executor.maxRecoveries,0",
    "executor.stuckThreadThreshold.seconds,-5",
    "dispatcher.await.termination.seconds,-1",
    "executor.group,' '"
  })
  void badValuesAreRefusedWithKeyAndValue(String key, String value) {
    assertThatThrownBy(() -> SettingsReader.read(Map.of("millrace." + key, value)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(key)
        .hasMessageContaining(value.strip());
  }

  @Test
  void theOwnPrefixWinsWhateverTheOrder() {
    Map<String, String> properties = new LinkedHashMap<>();
    properties.put("millrace.executor.group", "own");
    properties.put("nflow.executor.group", "old");
    assertThat(SettingsReader.read(properties).executorGroup()).isEqualTo("own");
  }
}
