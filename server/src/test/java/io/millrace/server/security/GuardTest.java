package io.millrace.server.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.instance.MillraceException;
import io.millrace.server.config.HttpConfig;
import io.millrace.server.config.HttpConfig.TlsMode;
import io.millrace.server.config.SecurityConfig;
import io.millrace.server.security.RejectedRequestException.Kind;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GuardTest {

  private static final SecurityConfig OFF =
      new SecurityConfig(false, Duration.ofHours(12), 10, null, null);

  private SecurityFixture securityFixture;

  @BeforeEach
  void open() {
    securityFixture = new SecurityFixture(AccountDatabase.H2);
  }

  @AfterEach
  void close() {
    securityFixture.close();
  }

  private Guard guard(HttpConfig httpConfig, SecurityConfig securityConfig) {
    return securityFixture.accounts.guard(
        httpConfig, securityConfig, SecurityFixture.ABOUT, (a, b, c, d) -> {});
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "localhost",
        "LocalHost:7500",
        "127.0.0.1",
        "127.0.0.1:7500",
        "[::1]",
        "[::1]:7500"
      })
  void aServerOfThisMachineIsCalledByItsNames(String host) {
    assertThat(
            securityFixture.guard.admit(
                FakeRequest.of("GET").header("Host", host), Permission.PUBLIC))
        .isEqualTo(CallerIdentity.ANONYMOUS);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "evil.example",
        "localhost.evil.example",
        "127.0.0.1.nip.io:7500",
        "10.0.0.1",
        "",
        "[::2]",
        "localhost@evil.example",
        "::1",
        "localhost:1:2",
        "localhost:x"
      })
  void anotherNameLeadsNowhereOnThisMachine(String host) {
    FakeRequest request =
        FakeRequest.of("GET").key(securityFixture.key(Role.ADMIN)).header("Host", host);

    for (Permission permission : Permission.values()) {
      assertThat(
              SecurityFixture.refusal(() -> securityFixture.guard.admit(request, permission))
                  .kind())
          .isEqualTo(Kind.FORBIDDEN);
    }
    FakeRequest without = new FakeRequest("GET", "127.0.0.1", Map.of(), Map.of());
    assertThat(
            SecurityFixture.refusal(() -> securityFixture.guard.admit(without, Permission.PUBLIC))
                .kind())
        .isEqualTo(Kind.FORBIDDEN);
  }

  @Test
  void elsewhereAnyNameWillDo() {
    FakeRequest request = FakeRequest.of("GET").header("Host", "millrace.example.com");

    for (TlsMode mode : TlsMode.values()) {
      assertThat(
              guard(SecurityFixture.http("0.0.0.0", mode), SecurityFixture.security(null))
                  .admit(request, Permission.PUBLIC))
          .isEqualTo(CallerIdentity.ANONYMOUS);
    }
  }

  @Test
  void securityCanBeOffOnThisMachineOnly() {
    assertThat(
            guard(SecurityFixture.LOCAL, OFF).admit(FakeRequest.of("GET"), Permission.ADMIN).role())
        .isEqualTo(Role.ADMIN);
    for (HttpConfig httpConfig :
        List.of(
            SecurityFixture.http("0.0.0.0", TlsMode.NONE),
            SecurityFixture.http("::", TlsMode.KEYSTORE),
            SecurityFixture.http("127.0.0.1", TlsMode.PROXY),
            SecurityFixture.http("no.such.host.invalid", null))) {
      assertThatThrownBy(() -> guard(httpConfig, OFF))
          .isInstanceOf(MillraceException.class)
          .hasMessageContaining("security.enabled");
    }
  }

  @Test
  void withSecurityOffOtherSitesStillCannotUseTheBrowser() {
    Guard open = guard(SecurityFixture.LOCAL, OFF);

    for (FakeRequest request :
        List.of(
            FakeRequest.of("POST").header("Sec-Fetch-Site", "cross-site"),
            FakeRequest.of("POST").header("Origin", "https://evil.example"),
            FakeRequest.of("POST").header("Host", "evil.example:7500"),
            FakeRequest.of("GET").header("Host", "evil.example:7500"))) {
      assertThat(SecurityFixture.refusal(() -> open.admit(request, Permission.OPERATOR)).kind())
          .isEqualTo(Kind.FORBIDDEN);
    }
    assertThat(open.admit(FakeRequest.of("POST"), Permission.OPERATOR).actor()).isEqualTo("local");
    assertThat(open.isStillValid(open.admit(FakeRequest.of("GET"), Permission.VIEWER))).isTrue();
  }

  /**
   * Otherwise, a page of another site could make its readers subscribe or unsubscribe addresses.
   */
  @Test
  void formsForEverybodyAreRefusedToOtherSites() {
    for (FakeRequest request :
        List.of(
            FakeRequest.of("POST").header("Sec-Fetch-Site", "cross-site"),
            FakeRequest.of("POST").header("Sec-Fetch-Site", "same-site"),
            FakeRequest.of("POST").header("Origin", "https://evil.example"),
            FakeRequest.of("POST").header("Origin", "null"))) {
      assertThat(
              SecurityFixture.refusal(
                  () -> securityFixture.guard.admit(request, Permission.PUBLIC)))
          .extracting(RejectedRequestException::kind)
          .isEqualTo(Kind.FORBIDDEN);
    }
    for (FakeRequest request :
        List.of(
            FakeRequest.of("POST"),
            FakeRequest.of("POST").header("Origin", "http://127.0.0.1:7500"),
            FakeRequest.of("POST").header("Sec-Fetch-Site", "same-origin"),
            FakeRequest.of("GET").header("Sec-Fetch-Site", "cross-site"))) {
      assertThat(securityFixture.guard.admit(request, Permission.PUBLIC))
          .isEqualTo(CallerIdentity.ANONYMOUS);
    }
  }

  @Test
  void withSecurityOffNobodyLogsIn() {
    Guard open = guard(SecurityFixture.LOCAL, OFF);
    SecurityRoute logIn =
        open.routes().stream()
            .filter(r -> r.operationId().equals("logIn"))
            .findFirst()
            .orElseThrow();

    assertThat(
            SecurityFixture.refusal(() ->
                    logIn
                        .handler()
                        .answer(
                            new SecurityRoute.Request(
                                FakeRequest.of("POST"),
                                CallerIdentity.ANONYMOUS,
                                SecurityFixture.JSON.readTree(SecurityFixture.login("a", "b")),
                                name -> null,
                                name -> null)))
                .kind())
        .isEqualTo(Kind.CONFLICT);
  }

  @Test
  void everyAnswerIsClosedToOtherSites() {
    Map<String, String> files = securityFixture.guard.headers(false);
    Map<String, String> data = securityFixture.guard.headers(true);

    assertThat(files.get("Content-Security-Policy"))
        .startsWith("default-src 'none';")
        .contains("script-src 'self';", "frame-ancestors 'none'")
        .doesNotContain("unsafe", "*", "http:");
    assertThat(files)
        .containsEntry("X-Content-Type-Options", "nosniff")
        .containsEntry("Referrer-Policy", "no-referrer")
        .containsEntry("Cross-Origin-Opener-Policy", "same-origin")
        .containsEntry("Cross-Origin-Resource-Policy", "same-origin")
        .containsKey("Permissions-Policy")
        .doesNotContainKeys("Strict-Transport-Security", "Cache-Control");
    assertThat(files.keySet()).noneMatch(name -> name.startsWith("Access-Control"));
    assertThat(data).containsAllEntriesOf(files).containsEntry("Cache-Control", "no-store");
    assertThat(
            guard(SecurityFixture.http("::1", TlsMode.PROXY), SecurityFixture.security(null))
                .headers(true))
        .containsKey("Strict-Transport-Security");
  }

  @Test
  void passwordsAreHashedSlowlyAndWithSalt() {
    PasswordHasher slow =
        new PasswordHasher((password, salt, iterations) -> {
          assertThat(iterations).isEqualTo(600_000);
          return new byte[32];
        });
    assertThat(slow.hash("correct horse")).startsWith("pbkdf2-sha256$600000$").hasSizeLessThan(200);

    PasswordHasher passwordHasher = new PasswordHasher(1_000);
    String hash = passwordHasher.hash("correct horse");

    assertThat(passwordHasher.hash("correct horse")).isNotEqualTo(hash);
    assertThat(passwordHasher.matches("correct horse", hash)).isTrue();
    assertThat(passwordHasher.matches("correct horsE", hash)).isFalse();
    assertThat(new PasswordHasher(2_000).matches("correct horse", hash)).isTrue();
    for (String broken : List.of("", "x", "pbkdf2-sha256$x$a$b", "correct horse")) {
      assertThat(passwordHasher.matches("correct horse", broken)).isFalse();
    }
  }

  @Test
  void aBucketFillsUpAgainWithTime() {
    Throttle throttle = new Throttle(securityFixture.clock, 6);
    for (int i = 0; i < 6; i++) {
      assertThat(throttle.acquire("a")).isZero();
    }

    assertThat(throttle.acquire("a")).isEqualTo(Duration.ofSeconds(10));
    assertThat(throttle.acquire("b")).isZero();
    securityFixture.clock.advance(Duration.ofSeconds(4));
    assertThat(throttle.acquire("a")).isEqualTo(Duration.ofSeconds(6));
    securityFixture.clock.advance(Duration.ofSeconds(6));
    assertThat(throttle.acquire("a")).isZero();
    assertThat(throttle.acquire("a")).isEqualTo(Duration.ofSeconds(10));
    securityFixture.clock.advance(Duration.ofHours(1));
    for (int i = 0; i < 6; i++) {
      assertThat(throttle.acquire("a")).isZero();
    }
    assertThat(throttle.acquire("a")).isPositive();
  }

  @Test
  void aPasswordIsNotPrinted() {
    GeneratedLogin login = new GeneratedLogin("anna", "pass");

    assertThat(login).hasToString("GeneratedLogin[user=anna, password=***]");
  }
}
