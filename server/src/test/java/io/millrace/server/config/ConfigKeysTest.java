package io.millrace.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigValueFactory;
import org.junit.jupiter.api.Test;

class ConfigKeysTest {

  @Test
  void everyDefaultIsAllowed() {
    for (ConfigKey<?> configKey : ConfigKeys.all()) {
      if (configKey.fallback() != null) {
        assertThat(configKey.kind().read(ConfigValueFactory.fromAnyRef(configKey.fallback())))
            .as(configKey.path())
            .isNotNull();
      }
    }
  }

  @Test
  void noTwoKeysShareANameOrAVariable() {
    assertThat(ConfigKeys.all()).hasSizeGreaterThan(50);
    assertThat(ConfigKeys.all().stream().map(ConfigKey::path)).doesNotHaveDuplicates();
    assertThat(
            ConfigKeys.all().stream()
                .map(configKey -> ConfigKey.variable(ConfigKey.PREFIX, configKey.path())))
        .doesNotHaveDuplicates();
  }

  @Test
  void whatSoundsSecretIsSecret() {
    assertThat(ConfigKeys.all())
        .allSatisfy(configKey ->
            assertThat(configKey.secret())
                .as(configKey.path())
                .isEqualTo(
                    configKey
                        .path()
                        .matches(
                            "(?i).*(password|secret|webhook|secrets\\.keys.*|rabbitmq\\.uri|redis\\.(uri|sentinel\\.nodes))")));
  }
}
