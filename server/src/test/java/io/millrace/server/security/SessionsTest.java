package io.millrace.server.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.server.config.HttpConfig.TlsMode;
import io.millrace.server.security.RejectedRequestException.Kind;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource(AccountDatabase.class)
class SessionsTest {

  @Parameter AccountDatabase database;

  private SecurityFixture securityFixture;

  @BeforeEach
  void open() {
    securityFixture = new SecurityFixture(database);
  }

  @AfterEach
  void close() {
    securityFixture.close();
  }

  private SessionRoutes.View whoAmI(FakeRequest request) {
    return (SessionRoutes.View) securityFixture.send("whoAmI", request, null).body();
  }

  private boolean isIn(FakeRequest browser) {
    return whoAmI(browser).user() != null;
  }

  @Test
  void aLoginGivesACookieThatScriptsCannotReadAndATokenThatTheyCan() {
    GeneratedLogin anna = securityFixture.accounts.replaceUser("anna", Role.OPERATOR);

    SecurityResponse securityResponse =
        securityFixture.send(
            "logIn", FakeRequest.of("POST"), SecurityFixture.login(" Anna ", anna.password()));

    assertThat(securityResponse.status()).isEqualTo(200);
    assertThat(securityResponse.cookies())
        .singleElement()
        .asString()
        .matches(
            "millrace_session=[A-Za-z0-9_-]{43}; Path=/; HttpOnly; SameSite=Lax; Max-Age=43200");
    SessionRoutes.View view = (SessionRoutes.View) securityResponse.body();
    assertThat(view.user()).isEqualTo("anna");
    assertThat(view.role()).isEqualTo("operator");
    assertThat(view.methods()).containsExactly("password");
    assertThat(view.version()).isEqualTo("1.2.3");
    assertThat(whoAmI(SecurityFixture.browser(securityResponse))).isEqualTo(view);
    assertThat(SecurityFixture.cookie(securityResponse, CallerAuthenticator.COOKIE))
        .isNotEqualTo(view.csrfToken());
  }

  @Test
  void nobodyIsToldHowToLogIn() {
    SessionRoutes.View view = whoAmI(FakeRequest.of("GET"));

    assertThat(view.user()).isNull();
    assertThat(view.role()).isNull();
    assertThat(view.csrfToken()).isNull();
    assertThat(view.methods()).containsExactly("password");
  }

  @Test
  void theCookieIsSecureWhereBrowsersSpeakHttps() {
    try (SecurityFixture proxied =
        new SecurityFixture(
            database,
            SecurityFixture.http("127.0.0.1", TlsMode.PROXY),
            SecurityFixture.security(null))) {
      GeneratedLogin anna = proxied.accounts.replaceUser("anna", Role.VIEWER);

      SecurityResponse securityResponse =
          proxied.send(
              "logIn", FakeRequest.of("POST"), SecurityFixture.login("anna", anna.password()));

      assertThat(securityResponse.cookies().getFirst()).contains("; Secure");
      assertThat(proxied.guard.headers(false)).containsKey("Strict-Transport-Security");
    }
  }

  @Test
  void everyLoginHasANewSessionAndEndsTheOneBefore() {
    GeneratedLogin anna = securityFixture.accounts.replaceUser("anna", Role.VIEWER);
    FakeRequest first = securityFixture.logIn(anna);

    SecurityResponse again =
        securityFixture.send(
            "logIn", first.method("POST"), SecurityFixture.login("anna", anna.password()));

    assertThat(SecurityFixture.cookie(again, CallerAuthenticator.COOKIE))
        .isNotEqualTo(first.cookie(CallerAuthenticator.COOKIE));
    assertThat(isIn(first)).isFalse();
    assertThat(isIn(SecurityFixture.browser(again))).isTrue();
  }

  @Test
  void aForgedCookieBecomesNoSession() {
    GeneratedLogin anna = securityFixture.accounts.replaceUser("anna", Role.VIEWER);
    FakeRequest planted = FakeRequest.of("POST").cookie(CallerAuthenticator.COOKIE, "A".repeat(43));

    SecurityResponse securityResponse =
        securityFixture.send("logIn", planted, SecurityFixture.login("anna", anna.password()));

    assertThat(SecurityFixture.cookie(securityResponse, CallerAuthenticator.COOKIE))
        .isNotEqualTo("A".repeat(43));
    assertThat(isIn(planted)).isFalse();
  }

  @Test
  void wrongNameAndWrongPasswordAreToldApartByNothing() {
    securityFixture.accounts.replaceUser("anna", Role.VIEWER);

    RejectedRequestException name =
        securityFixture.refusal(
            "logIn", FakeRequest.of("POST"), SecurityFixture.login("otto", "x"));
    RejectedRequestException password =
        securityFixture.refusal(
            "logIn", FakeRequest.of("POST"), SecurityFixture.login("anna", "x"));

    assertThat(name.kind()).isEqualTo(Kind.UNAUTHORIZED);
    assertThat(password.kind()).isEqualTo(Kind.UNAUTHORIZED);
    assertThat(name.detail()).isEqualTo(password.detail());
    assertThat(securityFixture.audit)
        .containsExactly(
            "anonymous loginFailed unknown user from 192.0.2.1",
            "anonymous loginFailed anna from 192.0.2.1");
  }

  @Test
  void badLoginsAreRefused() {
    for (String body :
        List.of(
            "{}",
            "{\"user\": \"a\"}",
            "{\"user\": \"a\", \"password\": null}",
            "{\"user\": [\"a\"], \"password\": \"b\"}",
            "{\"user\": \"a\", \"password\": \"" + "b".repeat(201) + "\"}",
            "\"a\"")) {
      assertThat(securityFixture.refusal("logIn", FakeRequest.of("POST"), body).kind())
          .as(body)
          .isEqualTo(Kind.INVALID);
    }
  }

  @Test
  void aSessionEndsWhenItIsNotUsed() {
    FakeRequest browser = securityFixture.loggedIn("anna", Role.VIEWER);
    securityFixture.clock.advance(Duration.ofHours(2).minusSeconds(1));
    assertThat(isIn(browser)).isTrue();
    securityFixture.clock.advance(Duration.ofHours(2).minusSeconds(1));
    assertThat(isIn(browser)).isTrue();

    securityFixture.clock.advance(Duration.ofHours(2));

    assertThat(isIn(browser)).isFalse();
  }

  @Test
  void aSessionEndsThoughItIsUsed() {
    FakeRequest browser = securityFixture.loggedIn("anna", Role.VIEWER);
    for (int hour = 1; hour < 12; hour++) {
      securityFixture.clock.advance(Duration.ofHours(1));
      assertThat(isIn(browser)).as("after %s hours", hour).isTrue();
    }

    securityFixture.clock.advance(Duration.ofHours(1));

    assertThat(isIn(browser)).isFalse();
  }

  @Test
  void listeningDoesNotKeepASessionAlive() {
    FakeRequest browser = securityFixture.loggedIn("anna", Role.VIEWER);
    CallerIdentity callerIdentity = securityFixture.guard.admit(browser, Permission.VIEWER);
    for (int minutes = 0; minutes < 119; minutes++) {
      securityFixture.clock.advance(Duration.ofMinutes(1));
      assertThat(securityFixture.guard.isStillValid(callerIdentity)).isTrue();
    }

    securityFixture.clock.advance(Duration.ofMinutes(1));

    assertThat(securityFixture.guard.isStillValid(callerIdentity)).isFalse();
  }

  @Test
  void sessionsAreCommonToAllNodes() {
    FakeRequest browser = securityFixture.loggedIn("anna", Role.VIEWER);
    Guard other = securityFixture.otherNode();
    assertThat(other.admit(browser, Permission.VIEWER).actor()).isEqualTo("anna");

    securityFixture.send("logOut", browser, null);
    securityFixture.clock.advance(Duration.ofSeconds(3));

    assertThat(SecurityFixture.refusal(() -> other.admit(browser, Permission.VIEWER)).kind())
        .isEqualTo(Kind.UNAUTHORIZED);
  }

  @Test
  void aLogoutEndsTheSessionAndTheCookie() {
    FakeRequest browser = securityFixture.loggedIn("anna", Role.VIEWER);
    FakeRequest without = FakeRequest.of("DELETE").cookie("other", "x");

    assertThat(
            securityFixture.refusal("logOut", browser.header("X-CSRF-Token", "wrong"), null).kind())
        .isEqualTo(Kind.FORBIDDEN);
    assertThat(isIn(browser)).isTrue();
    SecurityResponse securityResponse = securityFixture.send("logOut", browser, null);

    assertThat(securityResponse.status()).isEqualTo(204);
    assertThat(securityResponse.cookies().getFirst())
        .startsWith("millrace_session=;")
        .endsWith("Max-Age=0");
    assertThat(isIn(browser)).isFalse();
    assertThat(securityFixture.send("logOut", browser, null).status()).isEqualTo(204);
    assertThat(securityFixture.send("logOut", without, null).status()).isEqualTo(204);
    assertThat(securityFixture.audit).endsWith("anna logout null null").hasSize(2);
  }

  @Test
  void whatChangesSomethingNeedsTheTokenOfItsSession() {
    FakeRequest anna = securityFixture.loggedIn("anna", Role.ADMIN);
    FakeRequest otto = securityFixture.loggedIn("otto", Role.ADMIN);
    String ottos = otto.header("X-CSRF-Token");

    for (FakeRequest request :
        List.of(
            FakeRequest.of("POST")
                .cookie(CallerAuthenticator.COOKIE, anna.cookie(CallerAuthenticator.COOKIE)),
            anna.header("X-CSRF-Token", ""),
            anna.header("X-CSRF-Token", String.valueOf(ottos)),
            anna.header("X-CSRF-Token", String.valueOf(anna.cookie(CallerAuthenticator.COOKIE))),
            anna.header("Sec-Fetch-Site", "cross-site"),
            anna.header("Sec-Fetch-Site", "same-site"),
            anna.header("Origin", "http://evil.example"),
            anna.header("Origin", "http://127.0.0.1:7501"),
            anna.header("Origin", "null"))) {
      for (String method : List.of("POST", "PUT", "PATCH", "DELETE")) {
        RejectedRequestException rejectedRequestException =
            SecurityFixture.refusal(
                () -> securityFixture.guard.admit(request.method(method), Permission.VIEWER));
        assertThat(rejectedRequestException).as(request.toString()).isNotNull();
        assertThat(rejectedRequestException.kind()).isEqualTo(Kind.FORBIDDEN);
      }
      securityFixture.guard.admit(request.method("GET"), Permission.VIEWER);
      securityFixture.guard.admit(request.method("HEAD"), Permission.VIEWER);
    }
    securityFixture.guard.admit(anna.method("POST"), Permission.ADMIN);
    securityFixture.guard.admit(
        anna.method("POST").header("Sec-Fetch-Site", "same-origin"), Permission.ADMIN);
    securityFixture.guard.admit(
        anna.method("POST").header("Origin", "http://127.0.0.1:7500"), Permission.ADMIN);
  }

  @Test
  void anotherSiteCannotLogAUserIn() {
    GeneratedLogin mallory = securityFixture.accounts.replaceUser("mallory", Role.VIEWER);
    FakeRequest request = FakeRequest.of("POST").header("Sec-Fetch-Site", "cross-site");

    assertThat(
            securityFixture
                .refusal("logIn", request, SecurityFixture.login("mallory", mallory.password()))
                .kind())
        .isEqualTo(Kind.FORBIDDEN);
  }

  @Test
  void aNewPasswordEndsTheOtherSessions() {
    GeneratedLogin anna = securityFixture.accounts.replaceUser("anna", Role.VIEWER);
    FakeRequest here = securityFixture.logIn(anna);
    FakeRequest elsewhere = securityFixture.logIn(anna);
    String body = "{\"old\": \"" + anna.password() + "\", \"new\": \"a much better one\"}";

    assertThat(securityFixture.send("changePassword", here, body).status()).isEqualTo(204);

    assertThat(isIn(here)).isTrue();
    assertThat(isIn(elsewhere)).isFalse();
    assertThat(
            securityFixture
                .refusal(
                    "logIn", FakeRequest.of("POST"), SecurityFixture.login("anna", anna.password()))
                .kind())
        .isEqualTo(Kind.UNAUTHORIZED);
    securityFixture.logIn(new GeneratedLogin("anna", "a much better one"));
    assertThat(securityFixture.audit).contains("anna passwordChanged null null");
  }

  @Test
  void aPasswordIsNotChangedWithoutTheOldOneNorToABadOne() {
    GeneratedLogin anna = securityFixture.accounts.replaceUser("anna", Role.VIEWER);
    FakeRequest browser = securityFixture.logIn(anna);
    String right = "{\"old\": \"" + anna.password() + "\", \"new\": \"";

    assertThat(
            securityFixture
                .refusal("changePassword", browser, "{\"old\": \"x\", \"new\": \"long enough 1\"}")
                .kind())
        .isEqualTo(Kind.FORBIDDEN);
    assertThat(securityFixture.refusal("changePassword", browser, right + "too short\"}").kind())
        .isEqualTo(Kind.INVALID);
    assertThat(
            securityFixture
                .refusal("changePassword", browser, right + anna.password() + "\"}")
                .kind())
        .isEqualTo(Kind.INVALID);
    for (String weak : List.of("aaaaaaaaaaaa", "Password1234", "millrace-2026", "annaannaanna")) {
      RejectedRequestException rejectedRequestException =
          securityFixture.refusal("changePassword", browser, right + weak + "\"}");
      assertThat(rejectedRequestException.kind()).as(weak).isEqualTo(Kind.INVALID);
      assertThat(rejectedRequestException.detail()).contains("easy to guess").doesNotContain(weak);
    }
    FakeRequest key = FakeRequest.of("PUT").key(securityFixture.key(Role.ADMIN));
    assertThat(securityFixture.refusal("changePassword", key, right + "long enough 1\"}").kind())
        .isEqualTo(Kind.FORBIDDEN);
    securityFixture.logIn(anna);
  }

  @Test
  void tooManyTriesWithOneNameWaitThoughThePasswordIsRight() {
    GeneratedLogin anna = securityFixture.accounts.replaceUser("anna", Role.VIEWER);
    for (int i = 0; i < 50; i++) {
      FakeRequest from = FakeRequest.of("POST").from("192.0.2." + i / 10);
      assertThat(
              securityFixture
                  .refusal("logIn", from, SecurityFixture.login("anna", "guess" + i))
                  .kind())
          .isEqualTo(Kind.UNAUTHORIZED);
    }
    FakeRequest request = FakeRequest.of("POST").from("198.51.100.7");
    String right = SecurityFixture.login("ANNA", anna.password());

    RejectedRequestException rejectedRequestException =
        securityFixture.refusal("logIn", request, right);

    assertThat(rejectedRequestException.kind()).isEqualTo(Kind.TOO_MANY);
    assertThat(rejectedRequestException.headers()).containsEntry("Retry-After", "2");
    securityFixture.clock.advance(Duration.ofSeconds(2));
    assertThat(securityFixture.send("logIn", request, right).status()).isEqualTo(200);
  }

  @Test
  void aLoginThatWasOvertakenByAChangeOfTheUserBeginsNoSession() {
    UserStore userStore = securityFixture.accounts.users();
    SessionStore sessionStore =
        new SessionStore(
            new Transactions(securityFixture.pool, securityFixture.clock),
            securityFixture.clock,
            Duration.ofHours(1),
            Duration.ofHours(1));
    securityFixture.accounts.replaceUser("root", Role.ADMIN);
    securityFixture.accounts.replaceUser("anna", Role.ADMIN);

    UserStore.Login admin = userStore.find("anna").orElseThrow();
    userStore.changeRole("anna", Role.VIEWER);
    assertThat(sessionStore.create("anna", admin)).isEmpty();

    UserStore.Login viewer = userStore.find("anna").orElseThrow();
    userStore.changePassword("anna", "another", "");
    assertThat(sessionStore.create("anna", viewer)).isEmpty();

    UserStore.Login renewed = userStore.find("anna").orElseThrow();
    assertThat(sessionStore.create("anna", renewed)).isPresent();
    userStore.remove("anna");
    assertThat(sessionStore.create("anna", renewed)).isEmpty();
  }

  @Test
  void oneAddressKeepsNobodyOutElsewhere() {
    GeneratedLogin anna = securityFixture.accounts.replaceUser("anna", Role.VIEWER);
    FakeRequest attacker = FakeRequest.of("POST").from("192.0.2.9");
    String guess = SecurityFixture.login("anna", "guess");
    for (int i = 0; i < 30; i++) {
      securityFixture.refusal("logIn", attacker, guess);
    }

    assertThat(securityFixture.refusal("logIn", attacker, guess).kind()).isEqualTo(Kind.TOO_MANY);
    assertThat(securityFixture.logIn(anna)).isNotNull();
  }

  @Test
  void manyWhoLogInAtOnceWaitForTheirTurn() throws Exception {
    GeneratedLogin anna = securityFixture.accounts.replaceUser("anna", Role.VIEWER);
    List<Callable<Integer>> logins =
        IntStream.range(0, 8)
            .<Callable<Integer>>mapToObj(i ->
                () ->
                    securityFixture
                        .send(
                            "logIn",
                            FakeRequest.of("POST").from("198.51.100." + i),
                            SecurityFixture.login("anna", anna.password()))
                        .status())
            .toList();

    try (ExecutorService people = Executors.newFixedThreadPool(logins.size())) {
      for (Future<Integer> login : people.invokeAll(logins)) {
        assertThat(login.get()).isEqualTo(200);
      }
    }
  }

  @Test
  void tooManyTriesFromOneNetworkWaitThoughTheNamesDiffer() {
    for (int i = 0; i < 10; i++) {
      FakeRequest from = FakeRequest.of("POST").from("2001:db8:1:2::" + i);
      assertThat(
              securityFixture.refusal("logIn", from, SecurityFixture.login("user" + i, "x")).kind())
          .isEqualTo(Kind.UNAUTHORIZED);
    }
    String other = SecurityFixture.login("other", "x");

    assertThat(
            securityFixture
                .refusal("logIn", FakeRequest.of("POST").from("2001:db8:1:2:f::9"), other)
                .kind())
        .isEqualTo(Kind.TOO_MANY);
    assertThat(
            securityFixture
                .refusal("logIn", FakeRequest.of("POST").from("2001:db8:1:3::1"), other)
                .kind())
        .isEqualTo(Kind.UNAUTHORIZED);
  }

  /** One customer has 65,536 networks, which together would use up the limits of everyone else. */
  @Test
  void theNetworksOfOneSiteCannotUseUpTheLimitsOfOthers() {
    List<Kind> kinds =
        IntStream.range(0, 60)
            .mapToObj(i -> {
              FakeRequest from = FakeRequest.of("POST").from("2001:db8:1:" + i + "::1");
              return securityFixture
                  .refusal("logIn", from, SecurityFixture.login("user" + i, "x"))
                  .kind();
            })
            .toList();

    assertThat(kinds.subList(0, 50)).containsOnly(Kind.UNAUTHORIZED);
    assertThat(kinds.subList(50, 60)).containsOnly(Kind.TOO_MANY);
    for (String address : List.of("2001:db8:2::1", "192.0.2.9")) {
      FakeRequest other = FakeRequest.of("POST").from(address);
      assertThat(
              securityFixture.refusal("logIn", other, SecurityFixture.login("other", "x")).kind())
          .isEqualTo(Kind.UNAUTHORIZED);
    }
  }

  @Test
  void behindAProxyTheAddressIsTheOneThatTheProxySaw() {
    try (SecurityFixture proxied =
        new SecurityFixture(
            database,
            SecurityFixture.http("127.0.0.1", TlsMode.PROXY),
            SecurityFixture.security(null))) {
      FakeRequest request =
          FakeRequest.of("POST").header("X-Forwarded-For", "1.1.1.1, 198.51.100.7");

      proxied.refusal("logIn", request.from("127.0.0.1"), SecurityFixture.login("anna", "x"));
      proxied.refusal("logIn", request.from("10.1.2.3"), SecurityFixture.login("anna", "x"));

      assertThat(proxied.audit)
          .containsExactly(
              "anonymous loginFailed unknown user from 198.51.100.7",
              "anonymous loginFailed unknown user from 10.1.2.3");
    }
    securityFixture.refusal(
        "logIn",
        FakeRequest.of("POST").header("X-Forwarded-For", "198.51.100.7"),
        SecurityFixture.login("anna", "x"));
    assertThat(securityFixture.audit)
        .containsExactly("anonymous loginFailed unknown user from 192.0.2.1");
  }
}
