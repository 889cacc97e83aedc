package io.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.server.Patience;
import io.millrace.server.config.ObservabilityConfig;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the status page of a server that requires a login and has no configured address. */
class PrivateStatusPageTest {

  private static TestServer server;

  @BeforeAll
  static void start() {
    server =
        TestServer.withObserve(
            new ObservabilityConfig(
                true,
                new ObservabilityConfig.Logs(1, 100, 100),
                List.of(),
                null,
                List.of(),
                new ObservabilityConfig.Status(false, null, null)));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/status-page",
        "/status-page/feed.atom",
        "/status-page/calendar.ics",
        "/api/v1/status"
      })
  void sharedCachesDoNotKeepIt(String path) throws IOException {
    assertThat(get(path)).contains("Cache-Control: no-store").doesNotContain("public");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/status-page",
        "/status-page/feed.atom",
        "/status-page/calendar.ics",
        "/status-page/confirm?id=1&token=x",
        "/status-page/unsubscribe?id=1&token=x"
      })
  void noLinkNamesTheHostThatTheRequestNames(String path) throws IOException {
    assertThat(get(path)).startsWith("HTTP/1.1 200 ").doesNotContain("evil.example");
  }

  @Test
  void noFormIsShownThatIsRefusedForWantOfAToken() throws IOException {
    ObservabilityConfig.Mail mail =
        new ObservabilityConfig.Mail(
            "127.0.0.1", 1, null, null, "a@example.org", ObservabilityConfig.MailTls.NONE);
    ObservabilityConfig.Status status =
        new ObservabilityConfig.Status(false, URI.create("https://jobs.example.org/"), null);
    ObservabilityConfig observabilityConfig =
        new ObservabilityConfig(
            true, new ObservabilityConfig.Logs(1, 100, 100), List.of(), mail, List.of(), status);
    try (TestServer withMail = TestServer.withObserve(observabilityConfig)) {
      assertThat(get(withMail, "/status-page"))
          .startsWith("HTTP/1.1 200 ")
          .contains("Planned maintenance")
          .doesNotContain("<form");
    }
  }

  private static String get(String path) throws IOException {
    return get(server, path);
  }

  private static String get(TestServer server, String path) throws IOException {
    String request = "GET " + path + " HTTP/1.1\r\nHost: evil.example\r\n\r\n";
    try (RawConnection connection = new RawConnection(server.port(), Patience.LIMIT)) {
      return connection.exchange(request.getBytes(StandardCharsets.US_ASCII), false);
    }
  }
}
