package io.millrace.server.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.instance.MillraceException;
import io.millrace.server.config.Http;
import io.millrace.server.config.Http.TlsMode;
import io.millrace.server.config.Security;
import io.millrace.server.security.Refusal.Kind;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GuardTest {

  private static final Security OFF = new Security(false, Duration.ofHours(12), 10, null, null);

  private Kit kit;

  @BeforeEach
  void open() {
    kit = new Kit(Database.H2);
  }

  @AfterEach
  void close() {
    kit.close();
  }

  private Guard guard(Http http, Security security) {
    return kit.accounts.guard(http, security, Kit.ABOUT, (a, b, c, d) -> {});
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
    assertThat(kit.guard.admit(FakeRequest.of("GET").header("Host", host), Permission.PUBLIC))
        .isEqualTo(Caller.NOBODY);
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
    FakeRequest request = FakeRequest.of("GET").key(kit.key(Role.ADMIN)).header("Host", host);

    for (Permission permission : Permission.values()) {
      assertThat(Kit.refusal(() -> kit.guard.admit(request, permission)).kind())
          .isEqualTo(Kind.FORBIDDEN);
    }
    FakeRequest without = new FakeRequest("GET", "127.0.0.1", Map.of(), Map.of());
    assertThat(Kit.refusal(() -> kit.guard.admit(without, Permission.PUBLIC)).kind())
        .isEqualTo(Kind.FORBIDDEN);
  }

  @Test
  void elsewhereAndBehindAProxyAnyNameWillDo() {
    FakeRequest request = FakeRequest.of("GET").header("Host", "millrace.example.com");

    for (Http http : List.of(Kit.http("0.0.0.0", null), Kit.http("::1", TlsMode.PROXY))) {
      assertThat(guard(http, Kit.security(null)).admit(request, Permission.PUBLIC))
          .isEqualTo(Caller.NOBODY);
    }
  }

  @Test
  void securityCanBeOffOnThisMachineOnly() {
    assertThat(guard(Kit.LOCAL, OFF).admit(FakeRequest.of("GET"), Permission.ADMIN).role())
        .isEqualTo(Role.ADMIN);
    for (Http http :
        List.of(
            Kit.http("0.0.0.0", TlsMode.NONE),
            Kit.http("::", TlsMode.KEYSTORE),
            Kit.http("127.0.0.1", TlsMode.PROXY),
            Kit.http("no.such.host.invalid", null))) {
      assertThatThrownBy(() -> guard(http, OFF))
          .isInstanceOf(MillraceException.class)
          .hasMessageContaining("security.enabled");
    }
  }

  @Test
  void withSecurityOffOtherSitesStillCannotUseTheBrowser() {
    Guard open = guard(Kit.LOCAL, OFF);

    for (FakeRequest request :
        List.of(
            FakeRequest.of("POST").header("Sec-Fetch-Site", "cross-site"),
            FakeRequest.of("POST").header("Origin", "https://evil.example"),
            FakeRequest.of("POST").header("Host", "evil.example:7500"),
            FakeRequest.of("GET").header("Host", "evil.example:7500"))) {
      assertThat(Kit.refusal(() -> open.admit(request, Permission.OPERATOR)).kind())
          .isEqualTo(Kind.FORBIDDEN);
    }
    assertThat(open.admit(FakeRequest.of("POST"), Permission.OPERATOR).actor()).isEqualTo("local");
    assertThat(open.stillHolds(open.admit(FakeRequest.of("GET"), Permission.VIEWER))).isTrue();
  }

  /** A page of another site could otherwise have its readers subscribe or unsubscribe addresses. */
  @Test
  void formsForEverybodyAreRefusedToOtherSites() {
    for (FakeRequest request :
        List.of(
            FakeRequest.of("POST").header("Sec-Fetch-Site", "cross-site"),
            FakeRequest.of("POST").header("Sec-Fetch-Site", "same-site"),
            FakeRequest.of("POST").header("Origin", "https://evil.example"),
            FakeRequest.of("POST").header("Origin", "null"))) {
      assertThat(Kit.refusal(() -> kit.guard.admit(request, Permission.PUBLIC)))
          .extracting(Refusal::kind)
          .isEqualTo(Kind.FORBIDDEN);
    }
    for (FakeRequest request :
        List.of(
            FakeRequest.of("POST"),
            FakeRequest.of("POST").header("Origin", "http://127.0.0.1:7500"),
            FakeRequest.of("POST").header("Sec-Fetch-Site", "same-origin"),
            FakeRequest.of("GET").header("Sec-Fetch-Site", "cross-site"))) {
      assertThat(kit.guard.admit(request, Permission.PUBLIC)).isEqualTo(Caller.NOBODY);
    }
  }

  @Test
  void withSecurityOffNobodyLogsIn() {
    Guard open = guard(Kit.LOCAL, OFF);
    SecurityRoute logIn =
        open.routes().stream()
            .filter(r -> r.operationId().equals("logIn"))
            .findFirst()
            .orElseThrow();

    assertThat(
            Kit.refusal(() ->
                    logIn
                        .handler()
                        .answer(
                            new SecurityRoute.Call(
                                FakeRequest.of("POST"),
                                Caller.NOBODY,
                                Kit.JSON.readTree(Kit.login("a", "b")),
                                name -> null,
                                name -> null)))
                .kind())
        .isEqualTo(Kind.CONFLICT);
  }

  @Test
  void everyAnswerIsClosedToOtherSites() {
    Map<String, String> files = kit.guard.headers(false);
    Map<String, String> data = kit.guard.headers(true);

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
    assertThat(guard(Kit.http("::1", TlsMode.PROXY), Kit.security(null)).headers(true))
        .containsKey("Strict-Transport-Security");
  }

  @Test
  void passwordsAreHashedSlowlyAndWithSalt() {
    Passwords passwords = new Passwords();
    String hash = passwords.hash("correct horse");

    assertThat(hash).startsWith("pbkdf2-sha256$600000$").hasSizeLessThan(200);
    assertThat(passwords.hash("correct horse")).isNotEqualTo(hash);
    assertThat(passwords.matches("correct horse", hash)).isTrue();
    assertThat(passwords.matches("correct horsE", hash)).isFalse();
    assertThat(new Passwords(1_000).matches("correct horse", hash)).isTrue();
    for (String broken : List.of("", "x", "pbkdf2-sha256$x$a$b", "correct horse")) {
      assertThat(passwords.matches("correct horse", broken)).isFalse();
    }
  }

  @Test
  void aBucketFillsUpAgainWithTime() {
    Throttle throttle = new Throttle(kit.clock, 6);
    for (int i = 0; i < 6; i++) {
      assertThat(throttle.take("a")).isZero();
    }

    assertThat(throttle.take("a")).isEqualTo(Duration.ofSeconds(10));
    assertThat(throttle.take("b")).isZero();
    kit.clock.advance(Duration.ofSeconds(4));
    assertThat(throttle.take("a")).isEqualTo(Duration.ofSeconds(6));
    kit.clock.advance(Duration.ofSeconds(6));
    assertThat(throttle.take("a")).isZero();
    assertThat(throttle.take("a")).isEqualTo(Duration.ofSeconds(10));
    kit.clock.advance(Duration.ofHours(1));
    for (int i = 0; i < 6; i++) {
      assertThat(throttle.take("a")).isZero();
    }
    assertThat(throttle.take("a")).isPositive();
  }

  @Test
  void whatLetsSomebodyInIsNotPrinted() {
    NewLogin login = new NewLogin("anna", "pass");

    assertThat(login).hasToString("NewLogin[user=anna, password=***]");
  }
}
