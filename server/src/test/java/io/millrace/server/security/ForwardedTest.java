package io.millrace.server.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.lifecycle.EngineClock;
import io.millrace.server.config.HttpConfig;
import io.millrace.server.config.IpNetwork;
import io.millrace.server.http.ApiResponse;
import io.millrace.server.http.HttpMethod;
import io.millrace.server.http.JavalinServer;
import io.millrace.server.http.Route;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests which client address a server behind a proxy sees, over a real connection. */
class ForwardedTest {

  @Test
  void theLineThatTheProxyAddsCountsAndNotTheOneThatTheClientSent() throws Exception {
    HttpConfig httpConfig =
        new HttpConfig(
            "127.0.0.1", 0, "/", SecurityFixture.LOCAL.limits(), SecurityFixture.LOCAL.tls());
    Route route =
        new Route(
            HttpMethod.GET,
            "/from",
            "from",
            Permission.PUBLIC,
            List.of(),
            apiRequest ->
                ApiResponse.json(ClientAddress.of(apiRequest.requestInfo(), IpNetwork.LOOPBACK)));
    try (SecurityFixture securityFixture = new SecurityFixture(AccountDatabase.H2);
        JavalinServer server =
            JavalinServer.start(
                new JavalinServer.Parts(httpConfig, securityFixture.guard, EngineClock.system()),
                List.of(route));
        HttpClient client = HttpClient.newHttpClient()) {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + "/from"))
              .header("X-Forwarded-For", "198.51.100.66")
              .header("X-Forwarded-For", "192.0.2.7")
              .build();

      HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());

      assertThat(answer.body()).isEqualTo("\"192.0.2.7\"");
    }
  }
}
