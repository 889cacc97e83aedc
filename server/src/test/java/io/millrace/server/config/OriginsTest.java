package io.millrace.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OriginsTest {

  @Test
  void theConfigurationNamesWhatBrowsersCallTheServer() {
    assertThat(origins(Map.of())).isEmpty();
    assertThat(origins(Map.of("millrace.http.origins", "https://a.example, http://b.example:81")))
        .containsExactly(URI.create("https://a.example"), URI.create("http://b.example:81"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "millrace.example.com",
        "https://millrace.example.com/",
        "https://millrace.example.com/millrace",
        "https://millrace.example.com?x",
        "https://ada@millrace.example.com",
        "ftp://millrace.example.com",
        "https://",
        "null",
      })
  void anythingElseIsNoOrigin(String text) {
    assertThatThrownBy(() -> origins(Map.of("millrace.http.origins", text)))
        .hasMessageContaining("http.origins")
        .hasMessageContaining("expected a list of an origin such as https://millrace.example.com");
  }

  private static List<URI> origins(Map<String, String> properties) {
    return LoadedConfig.read(new ConfigSources(properties, Map.of(), null))
        .config()
        .http()
        .origins();
  }
}
