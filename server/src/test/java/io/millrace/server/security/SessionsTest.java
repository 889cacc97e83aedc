package io.millrace.server.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.server.config.Http.TlsMode;
import io.millrace.server.security.Refusal.Kind;
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
@EnumSource(Database.class)
class SessionsTest {

  @Parameter Database database;

  private Kit kit;

  @BeforeEach
  void open() {
    kit = new Kit(database);
  }

  @AfterEach
  void close() {
    kit.close();
  }

  private SessionRoutes.View whoAmI(FakeRequest request) {
    return (SessionRoutes.View) kit.send("whoAmI", request, null).body();
  }

  private boolean isIn(FakeRequest browser) {
    return whoAmI(browser).user() != null;
  }

  @Test
  void aLoginGivesACookieThatScriptsCannotReadAndATokenThatTheyCan() {
    NewLogin anna = kit.accounts.renew("anna", Role.OPERATOR);

    Reply reply = kit.send("logIn", FakeRequest.of("POST"), Kit.login(" Anna ", anna.password()));

    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.cookies())
        .singleElement()
        .asString()
        .matches(
            "millrace_session=[A-Za-z0-9_-]{43}; Path=/; HttpOnly; SameSite=Lax; Max-Age=43200");
    SessionRoutes.View view = (SessionRoutes.View) reply.body();
    assertThat(view.user()).isEqualTo("anna");
    assertThat(view.role()).isEqualTo("operator");
    assertThat(view.methods()).containsExactly("password");
    assertThat(view.version()).isEqualTo("1.2.3");
    assertThat(whoAmI(Kit.browser(reply))).isEqualTo(view);
    assertThat(Kit.cookie(reply, Credentials.COOKIE)).isNotEqualTo(view.csrfToken());
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
    try (Kit proxied =
        new Kit(database, Kit.http("127.0.0.1", TlsMode.PROXY), Kit.security(null))) {
      NewLogin anna = proxied.accounts.renew("anna", Role.VIEWER);

      Reply reply =
          proxied.send("logIn", FakeRequest.of("POST"), Kit.login("anna", anna.password()));

      assertThat(reply.cookies().getFirst()).contains("; Secure");
      assertThat(proxied.guard.headers(false)).containsKey("Strict-Transport-Security");
    }
  }

  @Test
  void everyLoginHasANewSessionAndEndsTheOneBefore() {
    NewLogin anna = kit.accounts.renew("anna", Role.VIEWER);
    FakeRequest first = kit.logIn(anna);

    Reply again = kit.send("logIn", first.method("POST"), Kit.login("anna", anna.password()));

    assertThat(Kit.cookie(again, Credentials.COOKIE))
        .isNotEqualTo(first.cookie(Credentials.COOKIE));
    assertThat(isIn(first)).isFalse();
    assertThat(isIn(Kit.browser(again))).isTrue();
  }

  @Test
  void aCookieThatSomebodyMadeUpBecomesNoSession() {
    NewLogin anna = kit.accounts.renew("anna", Role.VIEWER);
    FakeRequest planted = FakeRequest.of("POST").cookie(Credentials.COOKIE, "A".repeat(43));

    Reply reply = kit.send("logIn", planted, Kit.login("anna", anna.password()));

    assertThat(Kit.cookie(reply, Credentials.COOKIE)).isNotEqualTo("A".repeat(43));
    assertThat(isIn(planted)).isFalse();
  }

  @Test
  void wrongNameAndWrongPasswordAreToldApartByNothing() {
    kit.accounts.renew("anna", Role.VIEWER);

    Refusal name = kit.refusal("logIn", FakeRequest.of("POST"), Kit.login("otto", "x"));
    Refusal password = kit.refusal("logIn", FakeRequest.of("POST"), Kit.login("anna", "x"));

    assertThat(name.kind()).isEqualTo(Kind.UNAUTHORIZED);
    assertThat(password.kind()).isEqualTo(Kind.UNAUTHORIZED);
    assertThat(name.detail()).isEqualTo(password.detail());
    assertThat(kit.audit)
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
      assertThat(kit.refusal("logIn", FakeRequest.of("POST"), body).kind())
          .as(body)
          .isEqualTo(Kind.INVALID);
    }
  }

  @Test
  void aSessionEndsWhenItIsNotUsed() {
    FakeRequest browser = kit.loggedIn("anna", Role.VIEWER);
    kit.clock.advance(Duration.ofHours(2).minusSeconds(1));
    assertThat(isIn(browser)).isTrue();
    kit.clock.advance(Duration.ofHours(2).minusSeconds(1));
    assertThat(isIn(browser)).isTrue();

    kit.clock.advance(Duration.ofHours(2));

    assertThat(isIn(browser)).isFalse();
  }

  @Test
  void aSessionEndsThoughItIsUsed() {
    FakeRequest browser = kit.loggedIn("anna", Role.VIEWER);
    for (int hour = 1; hour < 12; hour++) {
      kit.clock.advance(Duration.ofHours(1));
      assertThat(isIn(browser)).as("after %s hours", hour).isTrue();
    }

    kit.clock.advance(Duration.ofHours(1));

    assertThat(isIn(browser)).isFalse();
  }

  @Test
  void listeningDoesNotKeepASessionAlive() {
    FakeRequest browser = kit.loggedIn("anna", Role.VIEWER);
    Caller caller = kit.guard.admit(browser, Permission.VIEWER);
    for (int minutes = 0; minutes < 119; minutes++) {
      kit.clock.advance(Duration.ofMinutes(1));
      assertThat(kit.guard.stillHolds(caller)).isTrue();
    }

    kit.clock.advance(Duration.ofMinutes(1));

    assertThat(kit.guard.stillHolds(caller)).isFalse();
  }

  @Test
  void sessionsAreCommonToAllNodes() {
    FakeRequest browser = kit.loggedIn("anna", Role.VIEWER);
    Guard other = kit.otherNode();
    assertThat(other.admit(browser, Permission.VIEWER).actor()).isEqualTo("anna");

    kit.send("logOut", browser, null);
    kit.clock.advance(Duration.ofSeconds(3));

    assertThat(Kit.refusal(() -> other.admit(browser, Permission.VIEWER)).kind())
        .isEqualTo(Kind.UNAUTHORIZED);
  }

  @Test
  void aLogoutEndsTheSessionAndTheCookie() {
    FakeRequest browser = kit.loggedIn("anna", Role.VIEWER);
    FakeRequest without = FakeRequest.of("DELETE").cookie("other", "x");

    assertThat(kit.refusal("logOut", browser.header("X-CSRF-Token", "wrong"), null).kind())
        .isEqualTo(Kind.FORBIDDEN);
    assertThat(isIn(browser)).isTrue();
    Reply reply = kit.send("logOut", browser, null);

    assertThat(reply.status()).isEqualTo(204);
    assertThat(reply.cookies().getFirst()).startsWith("millrace_session=;").endsWith("Max-Age=0");
    assertThat(isIn(browser)).isFalse();
    assertThat(kit.send("logOut", browser, null).status()).isEqualTo(204);
    assertThat(kit.send("logOut", without, null).status()).isEqualTo(204);
    assertThat(kit.audit).endsWith("anna logout null null").hasSize(2);
  }

  @Test
  void whatChangesSomethingNeedsTheTokenOfItsSession() {
    FakeRequest anna = kit.loggedIn("anna", Role.ADMIN);
    FakeRequest otto = kit.loggedIn("otto", Role.ADMIN);
    String ottos = otto.header("X-CSRF-Token");

    for (FakeRequest request :
        List.of(
            FakeRequest.of("POST").cookie(Credentials.COOKIE, anna.cookie(Credentials.COOKIE)),
            anna.header("X-CSRF-Token", ""),
            anna.header("X-CSRF-Token", String.valueOf(ottos)),
            anna.header("X-CSRF-Token", String.valueOf(anna.cookie(Credentials.COOKIE))),
            anna.header("Sec-Fetch-Site", "cross-site"),
            anna.header("Sec-Fetch-Site", "same-site"),
            anna.header("Origin", "http://evil.example"),
            anna.header("Origin", "http://127.0.0.1:7501"),
            anna.header("Origin", "null"))) {
      for (String method : List.of("POST", "PUT", "PATCH", "DELETE")) {
        Refusal refusal =
            Kit.refusal(() -> kit.guard.admit(request.method(method), Permission.VIEWER));
        assertThat(refusal).as(request.toString()).isNotNull();
        assertThat(refusal.kind()).isEqualTo(Kind.FORBIDDEN);
      }
      kit.guard.admit(request.method("GET"), Permission.VIEWER);
      kit.guard.admit(request.method("HEAD"), Permission.VIEWER);
    }
    kit.guard.admit(anna.method("POST"), Permission.ADMIN);
    kit.guard.admit(anna.method("POST").header("Sec-Fetch-Site", "same-origin"), Permission.ADMIN);
    kit.guard.admit(
        anna.method("POST").header("Origin", "http://127.0.0.1:7500"), Permission.ADMIN);
  }

  @Test
  void anotherSiteCannotLogSomebodyIn() {
    NewLogin mallory = kit.accounts.renew("mallory", Role.VIEWER);
    FakeRequest request = FakeRequest.of("POST").header("Sec-Fetch-Site", "cross-site");

    assertThat(kit.refusal("logIn", request, Kit.login("mallory", mallory.password())).kind())
        .isEqualTo(Kind.FORBIDDEN);
  }

  @Test
  void aNewPasswordEndsTheOtherSessions() {
    NewLogin anna = kit.accounts.renew("anna", Role.VIEWER);
    FakeRequest here = kit.logIn(anna);
    FakeRequest elsewhere = kit.logIn(anna);
    String body = "{\"old\": \"" + anna.password() + "\", \"new\": \"a much better one\"}";

    assertThat(kit.send("changePassword", here, body).status()).isEqualTo(204);

    assertThat(isIn(here)).isTrue();
    assertThat(isIn(elsewhere)).isFalse();
    assertThat(
            kit.refusal("logIn", FakeRequest.of("POST"), Kit.login("anna", anna.password())).kind())
        .isEqualTo(Kind.UNAUTHORIZED);
    kit.logIn(new NewLogin("anna", "a much better one"));
    assertThat(kit.audit).contains("anna passwordChanged null null");
  }

  @Test
  void aPasswordIsNotChangedWithoutTheOldOneNorToABadOne() {
    NewLogin anna = kit.accounts.renew("anna", Role.VIEWER);
    FakeRequest browser = kit.logIn(anna);
    String right = "{\"old\": \"" + anna.password() + "\", \"new\": \"";

    assertThat(
            kit.refusal("changePassword", browser, "{\"old\": \"x\", \"new\": \"long enough 1\"}")
                .kind())
        .isEqualTo(Kind.FORBIDDEN);
    assertThat(kit.refusal("changePassword", browser, right + "too short\"}").kind())
        .isEqualTo(Kind.INVALID);
    assertThat(kit.refusal("changePassword", browser, right + anna.password() + "\"}").kind())
        .isEqualTo(Kind.INVALID);
    for (String weak : List.of("aaaaaaaaaaaa", "Password1234", "millrace-2026", "annaannaanna")) {
      Refusal refusal = kit.refusal("changePassword", browser, right + weak + "\"}");
      assertThat(refusal.kind()).as(weak).isEqualTo(Kind.INVALID);
      assertThat(refusal.detail()).contains("easy to guess").doesNotContain(weak);
    }
    FakeRequest key = FakeRequest.of("PUT").key(kit.key(Role.ADMIN));
    assertThat(kit.refusal("changePassword", key, right + "long enough 1\"}").kind())
        .isEqualTo(Kind.FORBIDDEN);
    kit.logIn(anna);
  }

  @Test
  void tooManyTriesWithOneNameWaitThoughThePasswordIsRight() {
    NewLogin anna = kit.accounts.renew("anna", Role.VIEWER);
    for (int i = 0; i < 50; i++) {
      FakeRequest from = FakeRequest.of("POST").from("192.0.2." + i / 10);
      assertThat(kit.refusal("logIn", from, Kit.login("anna", "guess" + i)).kind())
          .isEqualTo(Kind.UNAUTHORIZED);
    }
    FakeRequest request = FakeRequest.of("POST").from("198.51.100.7");
    String right = Kit.login("ANNA", anna.password());

    Refusal refusal = kit.refusal("logIn", request, right);

    assertThat(refusal.kind()).isEqualTo(Kind.TOO_MANY);
    assertThat(refusal.headers()).containsEntry("Retry-After", "2");
    kit.clock.advance(Duration.ofSeconds(2));
    assertThat(kit.send("logIn", request, right).status()).isEqualTo(200);
  }

  @Test
  void aLoginThatWasOvertakenByAChangeOfTheUserBeginsNoSession() {
    Users users = kit.accounts.users();
    Sessions sessions =
        new Sessions(new Db(kit.pool), kit.clock, Duration.ofHours(1), Duration.ofHours(1));
    kit.accounts.renew("root", Role.ADMIN);
    kit.accounts.renew("anna", Role.ADMIN);

    Users.Login admin = users.find("anna").orElseThrow();
    users.changeRole("anna", Role.VIEWER);
    assertThat(sessions.begin("anna", admin)).isEmpty();

    Users.Login viewer = users.find("anna").orElseThrow();
    users.changePassword("anna", "another", "");
    assertThat(sessions.begin("anna", viewer)).isEmpty();

    Users.Login renewed = users.find("anna").orElseThrow();
    assertThat(sessions.begin("anna", renewed)).isPresent();
    users.remove("anna");
    assertThat(sessions.begin("anna", renewed)).isEmpty();
  }

  @Test
  void oneAddressKeepsNobodyOutElsewhere() {
    NewLogin anna = kit.accounts.renew("anna", Role.VIEWER);
    FakeRequest attacker = FakeRequest.of("POST").from("192.0.2.9");
    String guess = Kit.login("anna", "guess");
    for (int i = 0; i < 30; i++) {
      kit.refusal("logIn", attacker, guess);
    }

    assertThat(kit.refusal("logIn", attacker, guess).kind()).isEqualTo(Kind.TOO_MANY);
    assertThat(kit.logIn(anna)).isNotNull();
  }

  @Test
  void manyWhoLogInAtOnceWaitForTheirTurn() throws Exception {
    NewLogin anna = kit.accounts.renew("anna", Role.VIEWER);
    List<Callable<Integer>> logins =
        IntStream.range(0, 8)
            .<Callable<Integer>>mapToObj(i ->
                () ->
                    kit.send(
                            "logIn",
                            FakeRequest.of("POST").from("198.51.100." + i),
                            Kit.login("anna", anna.password()))
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
      assertThat(kit.refusal("logIn", from, Kit.login("user" + i, "x")).kind())
          .isEqualTo(Kind.UNAUTHORIZED);
    }
    String other = Kit.login("other", "x");

    assertThat(kit.refusal("logIn", FakeRequest.of("POST").from("2001:db8:1:2:f::9"), other).kind())
        .isEqualTo(Kind.TOO_MANY);
    assertThat(kit.refusal("logIn", FakeRequest.of("POST").from("2001:db8:1:3::1"), other).kind())
        .isEqualTo(Kind.UNAUTHORIZED);
  }

  /** One customer has 65,536 networks, which together would use up the limits of everybody else. */
  @Test
  void theNetworksOfOneSiteCannotUseUpTheLimitsOfOthers() {
    List<Kind> kinds =
        IntStream.range(0, 60)
            .mapToObj(i -> {
              FakeRequest from = FakeRequest.of("POST").from("2001:db8:1:" + i + "::1");
              return kit.refusal("logIn", from, Kit.login("user" + i, "x")).kind();
            })
            .toList();

    assertThat(kinds.subList(0, 50)).containsOnly(Kind.UNAUTHORIZED);
    assertThat(kinds.subList(50, 60)).containsOnly(Kind.TOO_MANY);
    for (String address : List.of("2001:db8:2::1", "192.0.2.9")) {
      FakeRequest other = FakeRequest.of("POST").from(address);
      assertThat(kit.refusal("logIn", other, Kit.login("other", "x")).kind())
          .isEqualTo(Kind.UNAUTHORIZED);
    }
  }

  @Test
  void behindAProxyTheAddressIsTheOneThatTheProxySaw() {
    try (Kit proxied =
        new Kit(database, Kit.http("127.0.0.1", TlsMode.PROXY), Kit.security(null))) {
      FakeRequest request =
          FakeRequest.of("POST").header("X-Forwarded-For", "1.1.1.1, 198.51.100.7");

      proxied.refusal("logIn", request.from("127.0.0.1"), Kit.login("anna", "x"));
      proxied.refusal("logIn", request.from("10.1.2.3"), Kit.login("anna", "x"));

      assertThat(proxied.audit)
          .containsExactly(
              "anonymous loginFailed unknown user from 198.51.100.7",
              "anonymous loginFailed unknown user from 10.1.2.3");
    }
    kit.refusal(
        "logIn",
        FakeRequest.of("POST").header("X-Forwarded-For", "198.51.100.7"),
        Kit.login("anna", "x"));
    assertThat(kit.audit).containsExactly("anonymous loginFailed unknown user from 192.0.2.1");
  }
}
