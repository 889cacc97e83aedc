package io.millrace.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigValueFactory;
import org.junit.jupiter.api.Test;

class KeysTest {

  @Test
  void everyDefaultIsAllowed() {
    for (Key<?> key : Keys.all()) {
      if (key.fallback() != null) {
        assertThat(key.kind().read(ConfigValueFactory.fromAnyRef(key.fallback())))
            .as(key.path())
            .isNotNull();
      }
    }
  }

  @Test
  void noTwoKeysShareANameOrAVariable() {
    assertThat(Keys.all()).hasSizeGreaterThan(50);
    assertThat(Keys.all().stream().map(Key::path)).doesNotHaveDuplicates();
    assertThat(Keys.all().stream().map(key -> Key.variable(Key.PREFIX, key.path())))
        .doesNotHaveDuplicates();
  }

  @Test
  void whatSoundsSecretIsSecret() {
    assertThat(Keys.all())
        .allSatisfy(key ->
            assertThat(key.secret())
                .as(key.path())
                .isEqualTo(
                    key.path()
                        .matches(
                            "(?i).*(password|secret|webhook|secrets\\.keys.*|rabbitmq\\.uri|redis\\.(uri|sentinel\\.nodes))")));
  }
}
