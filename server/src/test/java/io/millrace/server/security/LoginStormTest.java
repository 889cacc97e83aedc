package io.millrace.server.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.lifecycle.EngineClock;
import io.millrace.server.Patience;
import io.millrace.server.config.HttpConfig;
import io.millrace.server.config.SecurityConfig;
import io.millrace.server.http.ApiRequest;
import io.millrace.server.http.ApiResponse;
import io.millrace.server.http.HttpMethod;
import io.millrace.server.http.JavalinServer;
import io.millrace.server.http.Route;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests many concurrent logins with passwords that take long to hash. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("server")
class LoginStormTest {

  private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();
  private static final int LOGINS = 4 * PROCESSORS;

  /** A derivation that keeps its processor busy until it is released. */
  private static final class BusyDerivation implements KeyDerivation {
    private final AtomicInteger running = new AtomicInteger();
    private final Queue<Boolean> virtual = new ConcurrentLinkedQueue<>();
    private volatile boolean released = true;
    private volatile int most;

    @Override
    public byte[] derive(String password, byte[] salt, int iterations) {
      int now = running.incrementAndGet();
      virtual.add(Thread.currentThread().isVirtual());
      synchronized (this) {
        most = Math.max(most, now);
      }
      while (!released) {
        Thread.onSpinWait();
      }
      running.decrementAndGet();
      return (password + Arrays.toString(salt)).getBytes(StandardCharsets.UTF_8);
    }
  }

  @Test
  void otherRequestsAreAnsweredAndWaitingLoginsAreRefused() throws Exception {
    BusyDerivation derivation = new BusyDerivation();
    HttpConfig httpConfig =
        new HttpConfig(
            "127.0.0.1", 0, "/", SecurityFixture.LOCAL.limits(), SecurityFixture.LOCAL.tls());
    SecurityConfig securityConfig =
        new SecurityConfig(true, Duration.ofHours(1), 10_000, null, null);
    try (SecurityFixture securityFixture =
            new SecurityFixture(
                AccountDatabase.H2, httpConfig, securityConfig, new PasswordHasher(1, derivation));
        JavalinServer server =
            JavalinServer.start(
                new JavalinServer.Parts(httpConfig, securityFixture.guard, EngineClock.system()),
                List.of(live(), login(securityFixture)));
        HttpClient client = HttpClient.newHttpClient()) {
      derivation.virtual.clear();
      derivation.released = false;
      List<CompletableFuture<HttpResponse<String>>> logins = new ArrayList<>();
      try {
        for (int i = 0; i < LOGINS; i++) {
          logins.add(client.sendAsync(login(server.port(), i), BodyHandlers.ofString()));
        }
        CompletableFuture<Object> refused =
            CompletableFuture.anyOf(
                logins.stream()
                    .map(login -> login.thenCompose(LoginStormTest::unlessRefused))
                    .toArray(CompletableFuture[]::new));

        assertThat(client.send(live(server.port()), BodyHandlers.ofString()).statusCode())
            .isEqualTo(200);
        HttpResponse<?> answer =
            (HttpResponse<?>) refused.get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
        assertThat(answer.headers().firstValue("Retry-After")).contains("1");
        assertThat(client.send(live(server.port()), BodyHandlers.ofString()).statusCode())
            .isEqualTo(200);
      } finally {
        derivation.released = true;
      }
      CompletableFuture.allOf(logins.toArray(CompletableFuture[]::new)).join();
    }
    assertThat(derivation.virtual).isNotEmpty().containsOnly(false);
    assertThat(derivation.most).isBetween(1, Math.max(1, PROCESSORS / 2));
  }

  /** Returns a future that completes only for a rejection. */
  private static CompletableFuture<HttpResponse<String>> unlessRefused(
      HttpResponse<String> answer) {
    return answer.statusCode() == 429
        ? CompletableFuture.completedFuture(answer)
        : new CompletableFuture<>();
  }

  private static Route live() {
    return new Route(
        HttpMethod.GET,
        "/live",
        "live",
        Permission.PUBLIC,
        List.of(),
        apiRequest -> ApiResponse.json(true));
  }

  private static Route login(SecurityFixture securityFixture) {
    SecurityRoute route =
        securityFixture.guard.routes().stream()
            .filter(r -> r.operationId().equals("logIn"))
            .findFirst()
            .orElseThrow();
    return new Route(
        HttpMethod.POST,
        "/session",
        "logIn",
        Permission.PUBLIC,
        List.of(),
        apiRequest -> new ApiResponse.Json(200, route.handler().answer(of(apiRequest)).status()));
  }

  private static SecurityRoute.Request of(ApiRequest apiRequest) throws IOException {
    return new SecurityRoute.Request(
        apiRequest.requestInfo(),
        apiRequest.caller(),
        apiRequest.bodyNode(),
        name -> null,
        name -> null);
  }

  private static HttpRequest live(int port) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/live"))
        .timeout(Patience.LIMIT)
        .build();
  }

  private static HttpRequest login(int port, int number) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/session"))
        .header("Content-Type", "application/json")
        .POST(BodyPublishers.ofString(SecurityFixture.login("user" + number, "wrong")))
        .build();
  }
}
