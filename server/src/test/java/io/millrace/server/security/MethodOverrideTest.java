package io.millrace.server.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.lifecycle.EngineClock;
import io.millrace.server.config.HttpConfig;
import io.millrace.server.http.ApiResponse;
import io.millrace.server.http.HttpMethod;
import io.millrace.server.http.JavalinServer;
import io.millrace.server.http.Route;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests requests that name another method in a header, which checks of the real method would miss.
 */
class MethodOverrideTest {

  private static final HttpConfig HTTP =
      new HttpConfig(
          "127.0.0.1", 0, "/", SecurityFixture.LOCAL.limits(), SecurityFixture.LOCAL.tls());

  private final AtomicInteger changes = new AtomicInteger();

  @ParameterizedTest
  @CsvSource({
    "GET, X-HTTP-Method-Override, POST",
    "HEAD, X-HTTP-Method-Override, POST",
    "OPTIONS, X-HTTP-Method-Override, POST",
    "GET, x-http-method-override, post",
    "POST, X-HTTP-Method-Override, GET",
    "GET, X-HTTP-Method-Override, GET",
    "GET, X-HTTP-Method-Override, ''",
    "GET, X-HTTP-Method, POST",
    "GET, X-Method-Override, POST"
  })
  void theHeaderIsRefusedWhateverItSays(String method, String header, String value)
      throws Exception {
    try (SecurityFixture securityFixture = new SecurityFixture(AccountDatabase.H2);
        JavalinServer server = open(securityFixture);
        HttpClient client = HttpClient.newHttpClient()) {
      HttpResponse<String> answer =
          client.send(
              session(securityFixture.loggedIn("anna", Role.ADMIN), server)
                  .method(method, BodyPublishers.noBody())
                  .header(header, value)
                  .build(),
              BodyHandlers.ofString());

      assertThat(answer.statusCode()).isEqualTo(400);
      assertThat(answer.headers().firstValue("Content-Type")).contains("application/problem+json");
      assertThat(answer.headers().firstValue("Content-Security-Policy")).isPresent();
      assertThat(answer.body()).contains(method.equals("HEAD") ? "" : "send the request with");
      assertThat(changes).hasValue(0);
    }
  }

  @Test
  void aSessionNeedsItsTokenForTheMethodThatIsRouted() throws Exception {
    try (SecurityFixture securityFixture = new SecurityFixture(AccountDatabase.H2);
        JavalinServer server = open(securityFixture);
        HttpClient client = HttpClient.newHttpClient()) {
      FakeRequest browser = securityFixture.loggedIn("anna", Role.ADMIN);
      HttpRequest.Builder request = session(browser, server).POST(BodyPublishers.noBody());
      assertThat(client.send(request.build(), BodyHandlers.ofString()).statusCode()).isEqualTo(403);
      assertThat(changes).hasValue(0);
      request.header("X-CSRF-Token", String.valueOf(browser.header("X-CSRF-Token")));
      assertThat(client.send(request.build(), BodyHandlers.ofString()).statusCode()).isEqualTo(200);
      assertThat(changes).hasValue(1);
    }
  }

  private JavalinServer open(SecurityFixture securityFixture) {
    Route change =
        new Route(
            HttpMethod.POST,
            "/users",
            "change",
            Permission.ADMIN,
            List.of(),
            apiRequest -> ApiResponse.json(changes.incrementAndGet()));
    return JavalinServer.start(
        new JavalinServer.Parts(HTTP, securityFixture.guard, EngineClock.system()),
        List.of(change));
  }

  /**
   * Returns a request with the cookie of a browser, but without the token that only its page knows.
   */
  private static HttpRequest.Builder session(FakeRequest browser, JavalinServer server) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + "/users"))
        .header(
            "Cookie",
            CallerAuthenticator.COOKIE + "=" + browser.cookie(CallerAuthenticator.COOKIE));
  }
}
