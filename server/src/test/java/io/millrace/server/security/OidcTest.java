package io.millrace.server.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jwt.JWTClaimsSet;
import io.millrace.instance.MillraceException;
import io.millrace.server.config.HttpConfig;
import io.millrace.server.config.SecurityConfig;
import io.millrace.server.security.RejectedRequestException.Kind;
import java.net.URI;
import java.time.Duration;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

@ParameterizedClass
@EnumSource(AccountDatabase.class)
class OidcTest {

  @Parameter AccountDatabase database;

  private FakeIssuer issuer;
  private SecurityFixture securityFixture;

  @BeforeEach
  void open() {
    issuer = new FakeIssuer();
    securityFixture =
        new SecurityFixture(
            database, SecurityFixture.LOCAL, SecurityFixture.security(issuer.settings()));
  }

  @AfterEach
  void close() {
    securityFixture.close();
    issuer.close();
  }

  private SecurityResponse begin(String to) {
    return securityFixture.send(
        "logInWithOidc", FakeRequest.of("GET"), null, to == null ? Map.of() : Map.of("to", to));
  }

  private static URI page(SecurityResponse begun) {
    return URI.create(begun.headers().get("Location"));
  }

  /** Returns from the issuer with the cookie with which the login started. */
  private SecurityResponse finish(SecurityResponse begun, Map<String, String> query) {
    FakeRequest browser =
        FakeRequest.of("GET")
            .cookie(SessionCookies.OIDC, SecurityFixture.cookie(begun, SessionCookies.OIDC))
            .header("Sec-Fetch-Site", "cross-site");
    return securityFixture.send("finishOidc", browser, null, query);
  }

  private Map<String, String> answer(SecurityResponse begun, JWTClaimsSet.Builder claims) {
    Map<String, String> query = new HashMap<>();
    query.put("code", issuer.logIn(page(begun), claims));
    query.put("state", FakeIssuer.form(page(begun).getRawQuery()).get("state"));
    return query;
  }

  private SecurityResponse logIn(JWTClaimsSet.Builder claims) {
    SecurityResponse begun = begin(null);
    return finish(begun, answer(begun, claims));
  }

  private JWTClaimsSet.Builder anna() {
    return issuer.anna(securityFixture.clock.instant());
  }

  @Test
  void aGoodLoginLeadsBackWithASession() {
    SecurityResponse begun = begin("/instances?status=failed#2");
    URI page = page(begun);
    Map<String, String> query = FakeIssuer.form(page.getRawQuery());

    assertThat(begun.status()).isEqualTo(302);
    assertThat(page.toString()).startsWith(issuer.address() + "/authorize?");
    assertThat(query)
        .containsEntry("client_id", "millrace")
        .containsEntry("response_type", "code")
        .containsEntry("code_challenge_method", "S256")
        .containsEntry("redirect_uri", FakeIssuer.BASE + "/api/v1/session/oidc/callback")
        .containsKeys("state", "nonce", "code_challenge");
    assertThat(begun.cookies().getFirst())
        .matches("millrace_oidc=[^;]{43}; Path=/; HttpOnly; SameSite=Lax; Max-Age=600");

    SecurityResponse done = finish(begun, answer(begun, anna()));

    assertThat(done.status()).isEqualTo(302);
    assertThat(done.headers())
        .containsEntry("Location", FakeIssuer.BASE + "/instances?status=failed#2");
    assertThat(done.cookies()).anyMatch(c -> c.startsWith("millrace_oidc=;"));
    FakeRequest browser = SecurityFixture.browser(done);
    CallerIdentity callerIdentity = securityFixture.guard.admit(browser, Permission.OPERATOR);
    assertThat(callerIdentity.actor()).isEqualTo("oidc:anna");
    assertThat(callerIdentity.authMethod()).isEqualTo(CallerIdentity.AuthMethod.OIDC);
    SessionRoutes.View view =
        (SessionRoutes.View) securityFixture.send("whoAmI", browser, null).body();
    assertThat(view.methods()).containsExactly("password", "oidc");
    securityFixture.guard.admit(
        browser.method("POST").header("X-CSRF-Token", view.csrfToken()), Permission.OPERATOR);
    assertThat(securityFixture.audit)
        .containsExactly("oidc:anna login null subject 4711 as operator from 192.0.2.1");
    assertThat(
            securityFixture
                .refusal("changePassword", browser.header("X-CSRF-Token", view.csrfToken()), "{}")
                .kind())
        .isEqualTo(Kind.FORBIDDEN);
  }

  static Stream<Named<UnaryOperator<JWTClaimsSet.Builder>>> badClaims() {
    return Stream.of(
        Named.of("wrong nonce", c -> copy(c).claim("nonce", "another")),
        Named.of("no nonce", c -> copy(c).claim("nonce", null)),
        Named.of("wrong audience", c -> c.audience("other")),
        Named.of("two audiences", c -> c.audience(List.of("millrace", "other"))),
        Named.of("another party", c -> c.claim("azp", "other")),
        Named.of("wrong issuer", c -> c.issuer("http://127.0.0.1:1")),
        Named.of("no subject", c -> c.subject(null)),
        Named.of("no end", c -> c.expirationTime(null)),
        Named.of(
            "expired", c -> c.expirationTime(Date.from(SecurityFixture.START.minusSeconds(61)))),
        Named.of("no beginning", c -> c.issueTime(null)),
        Named.of("not yet", c -> c.issueTime(Date.from(SecurityFixture.START.plusSeconds(61)))),
        Named.of(
            "not before", c -> c.notBeforeTime(Date.from(SecurityFixture.START.plusSeconds(61)))));
  }

  private static JWTClaimsSet.Builder copy(JWTClaimsSet.Builder claims) {
    return new JWTClaimsSet.Builder(claims.build());
  }

  @ParameterizedTest
  @MethodSource("badClaims")
  void aTokenWithWrongClaimsIsRefused(UnaryOperator<JWTClaimsSet.Builder> change) {
    issuer.signer =
        (fake, claims) -> fake.signed(change.apply(new JWTClaimsSet.Builder(claims)).build());

    assertThat(SecurityFixture.refusal(() -> logIn(anna())).kind()).isEqualTo(Kind.UNAUTHORIZED);
    assertNobodyIsIn();
  }

  static Stream<Named<BiFunction<FakeIssuer, JWTClaimsSet, String>>> badSigners() {
    return Stream.of(
        Named.of("alg none", FakeIssuer::unsigned),
        Named.of("HS256 with the public key", FakeIssuer::signedWithThePublicKey),
        Named.of("HS256 with the client's secret", FakeIssuer::signedWithTheClientSecret),
        Named.of("another key of the same id", FakeIssuer::signedByAnother),
        Named.of("signature cut off", FakeIssuer::withoutSignature),
        Named.of("no token", (fake, claims) -> "x"));
  }

  @ParameterizedTest
  @MethodSource("badSigners")
  void aTokenThatTheIssuerDidNotSignIsRefused(BiFunction<FakeIssuer, JWTClaimsSet, String> signer) {
    issuer.signer = signer;

    assertThat(SecurityFixture.refusal(() -> logIn(anna())).kind()).isEqualTo(Kind.UNAUTHORIZED);
    assertNobodyIsIn();
  }

  private void assertNobodyIsIn() {
    assertThat(securityFixture.audit)
        .singleElement()
        .asString()
        .startsWith("anonymous loginFailed");
    issuer.signer = FakeIssuer::signed;
    logIn(anna());
    assertThat(securityFixture.audit).hasSize(2);
  }

  @Test
  void aStateIsGoodOnceAndForItsBrowserAndForTenMinutes() {
    SecurityResponse begun = begin(null);
    Map<String, String> query = answer(begun, anna());
    finish(begun, query);
    assertThat(SecurityFixture.refusal(() -> finish(begun, query)).detail())
        .contains("used before");

    SecurityResponse mine = begin(null);
    SecurityResponse theirs = begin(null);
    assertThat(SecurityFixture.refusal(() -> finish(mine, answer(theirs, anna()))).kind())
        .isEqualTo(Kind.UNAUTHORIZED);

    SecurityResponse slow = begin(null);
    Map<String, String> late = answer(slow, anna());
    securityFixture.clock.advance(Duration.ofMinutes(10));
    assertThat(SecurityFixture.refusal(() -> finish(slow, late)).detail()).contains("too late");
  }

  @Test
  void anAnswerWithoutStateCookieOrCodeIsRefused() {
    SecurityResponse begun = begin(null);
    Map<String, String> query = answer(begun, anna());
    FakeRequest bare = FakeRequest.of("GET");

    assertThat(
            SecurityFixture.refusal(() -> securityFixture.send("finishOidc", bare, null, query))
                .kind())
        .isEqualTo(Kind.UNAUTHORIZED);
    assertThat(SecurityFixture.refusal(() -> finish(begun, Map.of("code", "x"))).kind())
        .isEqualTo(Kind.UNAUTHORIZED);
    assertThat(
            SecurityFixture.refusal(() -> finish(begun, Map.of("state", query.get("state"))))
                .kind())
        .isEqualTo(Kind.UNAUTHORIZED);
    SecurityResponse again = begin(null);
    Map<String, String> mixed = answer(again, anna());
    mixed.put("iss", "https://other.example");
    assertThat(SecurityFixture.refusal(() -> finish(again, mixed)).kind())
        .isEqualTo(Kind.UNAUTHORIZED);
    mixed.put("iss", issuer.address());
    assertThat(finish(again, mixed).status()).isEqualTo(302);
  }

  @Test
  void anErrorOfTheIssuerIsToldWithoutItsText() {
    RejectedRequestException plain =
        SecurityFixture.refusal(() -> finish(begin(null), Map.of("error", "access_denied")));
    RejectedRequestException odd =
        SecurityFixture.refusal(() -> finish(begin(null), Map.of("error", "<script>alert(1)")));

    assertThat(plain.detail()).contains("access_denied");
    assertThat(odd.detail()).doesNotContain("script");
  }

  @Test
  void aBrowserThatIsRefusedGetsAPageToRead() {
    SecurityResponse begun = begin(null);
    FakeRequest browser =
        FakeRequest.of("GET")
            .cookie(SessionCookies.OIDC, SecurityFixture.cookie(begun, SessionCookies.OIDC))
            .header("Accept", "text/html,application/xhtml+xml,*/*;q=0.8");

    SecurityResponse page =
        securityFixture.send(
            "finishOidc",
            browser,
            null,
            answer(begun, anna().claim("preferred_username", "<b>&'\"").claim("groups", "other")));

    assertThat(page.status()).isEqualTo(401);
    assertThat(page.cookies()).isEmpty();
    assertThat(((SecurityResponse.Page) page.body()).html())
        .contains("oidc:&lt;b&gt;&amp;&#39;&quot;", "none of the user&#39;s groups")
        .contains("<a href=\"" + FakeIssuer.BASE + "/\">")
        .doesNotContain("<b>");
  }

  @Test
  void aCodeOfBlanksIsNoCode() {
    SecurityResponse begun = begin(null);
    Map<String, String> query = answer(begun, anna());
    query.put("code", " ");

    assertThat(SecurityFixture.refusal(() -> finish(begun, query)).detail())
        .contains("it gave no code");
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(
      strings = {
        "",
        "instances",
        "//evil.example",
        "/\\evil.example",
        "\\\\evil.example",
        "https://evil.example/",
        "javascript:alert(1)",
        "/\t/evil.example",
        "/\n/evil.example",
        " /instances",
        "/a\r\nSet-Cookie: x=y",
        "@evil.example",
        ".evil.example",
        "/\u2028x"
      })
  void nobodyIsLedToAnotherSite(String to) {
    SecurityResponse begun = begin(to);

    SecurityResponse done = finish(begun, answer(begun, anna()));

    assertThat(done.headers()).containsEntry("Location", FakeIssuer.BASE + "/");
  }

  @Test
  void theHighestRoleOfAllGroupsCounts() {
    Map<Object, String> roles =
        Map.of(
            List.of("staff"),
            "viewer",
            List.of("ops", "staff"),
            "operator",
            List.of("staff", "boss", "ops"),
            "admin",
            "sre",
            "admin",
            "ops",
            "operator");
    roles.forEach((groups, role) -> {
      FakeRequest browser = SecurityFixture.browser(logIn(anna().claim("groups", groups)));
      assertThat(securityFixture.send("whoAmI", browser, null).body())
          .extracting(view -> ((SessionRoutes.View) view).role())
          .as(groups.toString())
          .isEqualTo(role);
    });
  }

  @Test
  void whoIsInNoGroupWithARoleStaysOutAndIsToldWhy() {
    for (Object groups : List.of(List.of("other"), "ADMIN", 7, Map.of("a", "sre"), List.of())) {
      RejectedRequestException rejectedRequestException =
          SecurityFixture.refusal(() -> logIn(anna().claim("groups", groups)));
      assertThat(rejectedRequestException.kind())
          .as(groups.toString())
          .isEqualTo(Kind.UNAUTHORIZED);
      assertThat(rejectedRequestException.detail())
          .contains("oidc:anna")
          .contains("none of the user's groups");
    }
  }

  @Test
  void groupsMayLieDeeper() throws Exception {
    OidcRoleMapping roles = new OidcRoleMapping("realm_access.roles", issuer.settings().roles());
    JWTClaimsSet claims = JWTClaimsSet.parse("{\"realm_access\": {\"roles\": [\"x\", \"sre\"]}}");

    assertThat(roles.of(claims)).contains(Role.ADMIN);
    assertThat(roles.of(JWTClaimsSet.parse("{\"realm_access\": \"sre\"}"))).isEmpty();
  }

  @Test
  void aUserOfTheIssuerIsNobodyElse() {
    logIn(anna().claim("preferred_username", "admin"));
    logIn(anna().claim("preferred_username", "key:nightly\u202e\n"));
    logIn(anna().claim("preferred_username", "x".repeat(500)));

    assertThat(securityFixture.audit.get(0)).startsWith("oidc:admin login");
    assertThat(securityFixture.audit.get(1)).startsWith("oidc:key:nightly login");
    assertThat(securityFixture.audit.get(2)).startsWith("oidc:" + "x".repeat(90) + " login");
  }

  @Test
  void keysAndDescriptionAreKeptForAWhile() {
    logIn(anna());
    logIn(anna());
    logIn(anna());

    assertThat(issuer.asked)
        .containsOnlyOnce("/keys")
        .containsOnlyOnce("/.well-known/openid-configuration");
    securityFixture.clock.advance(Duration.ofHours(1));
    logIn(anna());
    assertThat(issuer.asked).filteredOn(p -> p.contains("well-known")).hasSize(2);
  }

  @Test
  void passwordsGoOnWhileTheIssuerIsAway() {
    issuer.close();
    GeneratedLogin otto = securityFixture.accounts.replaceUser("otto", Role.VIEWER);

    RejectedRequestException rejectedRequestException = SecurityFixture.refusal(() -> begin(null));

    assertThat(rejectedRequestException.kind()).isEqualTo(Kind.UNAVAILABLE);
    assertThat(rejectedRequestException.detail()).contains("Log in with a password");
    assertThat(securityFixture.guard.admit(securityFixture.logIn(otto), Permission.VIEWER).actor())
        .isEqualTo("otto");
  }

  @Test
  void anIssuerThatCallsItselfDifferentlyIsNotBelieved() {
    issuer.issuer = "http://127.0.0.1:1";

    assertThat(SecurityFixture.refusal(() -> begin(null)).kind()).isEqualTo(Kind.UNAVAILABLE);
  }

  @Test
  void anIssuerThatDoesNotAnswerWellIsLeftAloneForAMoment() {
    issuer.issuer = "http://127.0.0.1:1";
    SecurityFixture.refusal(() -> begin(null));
    SecurityFixture.refusal(() -> begin(null));
    assertThat(issuer.asked).filteredOn(p -> p.contains("well-known")).hasSize(1);

    issuer.issuer = issuer.address();
    securityFixture.clock.advance(Duration.ofSeconds(10));
    assertThat(begin(null).status()).isEqualTo(302);
  }

  @Test
  void codesAreNotSentInTheOpenWhateverTheIssuerSays() {
    issuer.tokens = "http://192.0.2.1/token";

    assertThat(SecurityFixture.refusal(() -> begin(null)).kind()).isEqualTo(Kind.UNAVAILABLE);
  }

  @Test
  void anIssuerElsewhereMustSpeakHttps() {
    SecurityConfig.Oidc plain =
        new SecurityConfig.Oidc(
            URI.create("http://192.0.2.1"),
            "millrace",
            "x",
            URI.create(FakeIssuer.BASE),
            "groups",
            issuer.settings().roles());

    assertThatThrownBy(() ->
            securityFixture.accounts.guard(
                SecurityFixture.LOCAL,
                SecurityFixture.security(plain),
                SecurityFixture.ABOUT,
                (a, b, c, d) -> {}))
        .isInstanceOf(MillraceException.class)
        .hasMessageContaining("https");
  }

  @Test
  void beginningIsLimitedSoThatNobodyFillsTheTable() {
    for (int i = 0; i < 30; i++) {
      begin(null);
    }

    assertThat(SecurityFixture.refusal(() -> begin(null)).kind()).isEqualTo(Kind.TOO_MANY);
  }

  @Test
  void withoutIssuerThereIsNoSuchLogin() {
    HttpConfig httpConfig = SecurityFixture.LOCAL;
    try (SecurityFixture plain =
        new SecurityFixture(database, httpConfig, SecurityFixture.security(null))) {
      assertThat(plain.refusal("logInWithOidc", FakeRequest.of("GET"), null).kind())
          .isEqualTo(Kind.NOT_FOUND);
    }
  }
}
