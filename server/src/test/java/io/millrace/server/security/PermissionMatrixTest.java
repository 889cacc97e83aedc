package io.millrace.server.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.lifecycle.EngineClock;
import io.millrace.server.Patience;
import io.millrace.server.config.HttpConfig;
import io.millrace.server.http.ApiResponse;
import io.millrace.server.http.HttpMethod;
import io.millrace.server.http.JavalinServer;
import io.millrace.server.http.Route;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Tests every operation of the contract with every kind of credentials, through the real server and
 * guard. The routes behind the guard do nothing, so that only its decision counts.
 */
class PermissionMatrixTest {

  private static final int ALLOWED = 204;

  /** Operations with a body that store nothing. */
  private static final Set<String> ASKING = Set.of("explainSchedule", "dryRunReduce");

  /** Public forms, which an address confirms with a token that only it was sent. */
  private static final Set<String> FOR_STRANGERS = Set.of("subscribe", "confirm", "unsubscribe");

  private static final Set<String> UNKNOWN =
      Set.of("none", "bad key", "expired key", "removed key", "bad session", "ended session");

  @Test
  void everyOperationSaysWhoMayUseIt() {
    List<OpenApiPermissions.Operation> operations = OpenApiPermissions.operations();

    assertThat(operations).hasSizeGreaterThan(40);
    assertThat(operations).allSatisfy(o -> assertThat(o.permission()).isNotNull());
    assertThat(operations).extracting(OpenApiPermissions.Operation::id).doesNotHaveDuplicates();
    assertThat(
            operations.stream()
                .filter(o -> o.permission() == Permission.PUBLIC)
                .map(OpenApiPermissions.Operation::id))
        .containsExactlyInAnyOrder(
            "live",
            "ready",
            "contract",
            "whoAmI",
            "logIn",
            "logInByLink",
            "logOut",
            "logInWithOidc",
            "finishOidc",
            "status",
            "statusPage",
            "statusStyle",
            "statusFeed",
            "statusCalendar",
            "subscribe",
            "askToConfirm",
            "confirm",
            "askToUnsubscribe",
            "unsubscribe");
    assertThat(operations)
        .filteredOn(OpenApiPermissions.Operation::changes)
        .filteredOn(o -> !o.path().startsWith("/api/v1/session"))
        .filteredOn(o -> !ASKING.contains(o.id()) && !FOR_STRANGERS.contains(o.id()))
        .allSatisfy(o -> assertThat(o.permission()).isGreaterThanOrEqualTo(Permission.OPERATOR));
  }

  @Test
  void theRoutesOfThisPackageAreThoseOfTheContract() {
    try (SecurityFixture securityFixture = new SecurityFixture(AccountDatabase.H2)) {
      Set<String> routes =
          securityFixture.guard.routes().stream()
              .map(r -> line(r.operationId(), r.method(), "/api/v1" + r.path(), r.permission()))
              .collect(Collectors.toSet());

      assertThat(routes)
          .isEqualTo(
              OpenApiPermissions.operations().stream()
                  .filter(o -> o.path().matches("/api/v1/(session|users|keys)(/.*)?"))
                  .map(o -> line(o.id(), o.method(), o.path(), o.permission()))
                  .collect(Collectors.toSet()));
    }
  }

  private static String line(String id, String method, String path, Permission permission) {
    return id + " " + method + " " + path + " " + permission;
  }

  @Test
  void everyOperationAdmitsExactlyThoseWhoMay() throws Exception {
    try (SecurityFixture securityFixture = new SecurityFixture(AccountDatabase.H2);
        JavalinServer server = server(securityFixture)) {
      Map<String, Map<String, String>> credentials = credentials(securityFixture);
      List<String> wrong = new ArrayList<>();
      int asked = 0;
      for (OpenApiPermissions.Operation operation : OpenApiPermissions.operations()) {
        // The limit of invalid keys is not part of the matrix.
        securityFixture.clock.advance(Duration.ofSeconds(10));
        for (Map.Entry<String, Map<String, String>> credential : credentials.entrySet()) {
          int expected = expected(operation, credential.getKey());
          int status = send(server.port(), operation, credential.getValue());
          asked++;
          if (status != expected) {
            wrong.add(
                operation.id() + " as " + credential.getKey() + ": " + status + " not " + expected);
          }
        }
      }
      assertThat(wrong).isEmpty();
      assertThat(asked).isGreaterThan(40 * credentials.size());
    }
  }

  private static JavalinServer server(SecurityFixture securityFixture) {
    HttpConfig httpConfig =
        new HttpConfig(
            "127.0.0.1",
            0,
            "/",
            SecurityFixture.LOCAL.limits(),
            new HttpConfig.Tls(null, null, null));
    List<Route> routes =
        OpenApiPermissions.operations().stream()
            .map(o ->
                new Route(
                    HttpMethod.valueOf(o.method()),
                    o.path(),
                    o.id(),
                    o.permission(),
                    List.of(),
                    apiRequest -> ApiResponse.empty()))
            .toList();
    return JavalinServer.start(
        new JavalinServer.Parts(httpConfig, securityFixture.guard, EngineClock.system()), routes);
  }

  /** Returns the headers by kind of credentials; those of unknown callers were once valid. */
  private static Map<String, Map<String, String>> credentials(SecurityFixture securityFixture) {
    String expired = securityFixture.accounts.keys().add("expired", Role.ADMIN, 1).secret();
    FakeRequest ended = securityFixture.loggedIn("ended", Role.ADMIN);
    securityFixture.clock.advance(Duration.ofDays(1));
    ApiKeyStore.CreatedKey removed =
        securityFixture.accounts.keys().add("removed", Role.ADMIN, null);
    securityFixture.accounts.keys().remove(removed.key().id());
    Map<String, Map<String, String>> all = new LinkedHashMap<>();
    all.put("none", Map.of());
    all.put("bad key", bearer("mr_" + "A".repeat(43)));
    all.put("expired key", bearer(expired));
    all.put("removed key", bearer(removed.secret()));
    all.put(
        "bad session", cookie(FakeRequest.of("GET").cookie(CallerAuthenticator.COOKIE, "x"), "y"));
    all.put("ended session", cookie(ended, ended.header("X-CSRF-Token")));
    for (Role role : Role.values()) {
      all.put(role + " key", bearer(securityFixture.key(role)));
      FakeRequest browser = securityFixture.loggedIn(role.text(), role);
      all.put(role + " session", cookie(browser, browser.header("X-CSRF-Token")));
      all.put(role + " session without token", cookie(browser, null));
      all.put(role + " session with a wrong token", cookie(browser, "A".repeat(43)));
    }
    return all;
  }

  private static Map<String, String> bearer(String key) {
    return Map.of("Authorization", "Bearer " + key);
  }

  private static Map<String, String> cookie(FakeRequest browser, String token) {
    String cookie = CallerAuthenticator.COOKIE + "=" + browser.cookie(CallerAuthenticator.COOKIE);
    return token == null
        ? Map.of("Cookie", cookie)
        : Map.of("Cookie", cookie, "X-CSRF-Token", token);
  }

  private static int expected(OpenApiPermissions.Operation operation, String credential) {
    if (operation.permission() == Permission.PUBLIC) {
      return ALLOWED;
    }
    if (UNKNOWN.contains(credential)) {
      return 401;
    }
    if (credential.contains(" token") && operation.changes()) {
      return 403;
    }
    // Written out, so that an error in comparing roles cannot also hide in the test.
    Set<String> may =
        switch (operation.permission()) {
          case PUBLIC, VIEWER -> Set.of("VIEWER", "OPERATOR", "ADMIN");
          case OPERATOR -> Set.of("OPERATOR", "ADMIN");
          case ADMIN -> Set.of("ADMIN");
        };
    return may.contains(credential.substring(0, credential.indexOf(' '))) ? ALLOWED : 403;
  }

  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  private static int send(
      int port, OpenApiPermissions.Operation operation, Map<String, String> headers)
      throws IOException, InterruptedException {
    String path = operation.path().replace("{id}", "1").replaceAll("\\{\\w+}", "x");
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .timeout(Patience.LIMIT)
            .method(operation.method(), HttpRequest.BodyPublishers.noBody());
    headers.forEach(request::setHeader);
    HttpResponse<String> response =
        CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
    assertThat(response.headers().map().keySet())
        .noneMatch(name -> name.startsWith("access-control"));
    assertThat(response.headers().firstValue("Content-Security-Policy")).isPresent();
    return response.statusCode();
  }

  /**
   * Jetty reuses the headers of a connection regardless of case, unless it is configured otherwise.
   */
  @Test
  void aCookieIsReadAsWrittenWhateverCameBeforeOverTheConnection() throws Exception {
    try (SecurityFixture securityFixture = new SecurityFixture(AccountDatabase.H2);
        JavalinServer server = server(securityFixture)) {
      OpenApiPermissions.Operation operation =
          OpenApiPermissions.operations().stream()
              .filter(o -> o.id().equals("listInstances"))
              .findFirst()
              .orElseThrow();
      FakeRequest browser;
      String token;
      do {
        securityFixture.clock.advance(Duration.ofMinutes(1)); // so that no limit of logins applies
        browser = securityFixture.loggedIn("anna", Role.VIEWER);
        token = browser.cookie(CallerAuthenticator.COOKIE);
      } while (!Character.isUpperCase(token.charAt(0)));
      String before = token.substring(0, 1).toLowerCase(Locale.ROOT);

      Map<String, String> other = Map.of("Cookie", CallerAuthenticator.COOKIE + "=" + before);
      assertThat(send(server.port(), operation, other)).isEqualTo(401);
      assertThat(send(server.port(), operation, cookie(browser, null))).isEqualTo(ALLOWED);
    }
  }

  @Test
  void otherSitesAreNotInvited() throws Exception {
    try (SecurityFixture securityFixture = new SecurityFixture(AccountDatabase.H2);
        JavalinServer server = server(securityFixture)) {
      HttpRequest preflight =
          HttpRequest.newBuilder(
                  URI.create("http://127.0.0.1:" + server.port() + "/api/v1/instances"))
              .timeout(Patience.LIMIT)
              .header("Origin", "https://evil.example")
              .header("Access-Control-Request-Method", "POST")
              .method("OPTIONS", HttpRequest.BodyPublishers.noBody())
              .build();

      HttpResponse<String> response = CLIENT.send(preflight, HttpResponse.BodyHandlers.ofString());

      assertThat(response.statusCode()).isIn(403, 404, 405);
      assertThat(response.headers().map().keySet())
          .noneMatch(name -> name.startsWith("access-control"));
    }
  }
}
