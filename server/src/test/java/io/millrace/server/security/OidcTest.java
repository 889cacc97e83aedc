package io.millrace.server.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jwt.JWTClaimsSet;
import io.millrace.instance.MillraceException;
import io.millrace.server.config.Http;
import io.millrace.server.config.Security;
import io.millrace.server.security.Refusal.Kind;
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
@EnumSource(Database.class)
class OidcTest {

  @Parameter Database database;

  private FakeIssuer issuer;
  private Kit kit;

  @BeforeEach
  void open() {
    issuer = new FakeIssuer();
    kit = new Kit(database, Kit.LOCAL, Kit.security(issuer.settings()));
  }

  @AfterEach
  void close() {
    kit.close();
    issuer.close();
  }

  private Reply begin(String to) {
    return kit.send(
        "logInWithOidc", FakeRequest.of("GET"), null, to == null ? Map.of() : Map.of("to", to));
  }

  private static URI page(Reply begun) {
    return URI.create(begun.headers().get("Location"));
  }

  /** Comes back from the issuer with the cookie that the login began with. */
  private Reply finish(Reply begun, Map<String, String> query) {
    FakeRequest browser =
        FakeRequest.of("GET")
            .cookie(SessionCookies.OIDC, Kit.cookie(begun, SessionCookies.OIDC))
            .header("Sec-Fetch-Site", "cross-site");
    return kit.send("finishOidc", browser, null, query);
  }

  private Map<String, String> answer(Reply begun, JWTClaimsSet.Builder claims) {
    Map<String, String> query = new HashMap<>();
    query.put("code", issuer.logIn(page(begun), claims));
    query.put("state", FakeIssuer.form(page(begun).getRawQuery()).get("state"));
    return query;
  }

  private Reply logIn(JWTClaimsSet.Builder claims) {
    Reply begun = begin(null);
    return finish(begun, answer(begun, claims));
  }

  private JWTClaimsSet.Builder anna() {
    return issuer.anna(kit.clock.instant());
  }

  @Test
  void aGoodLoginLeadsBackWithASession() {
    Reply begun = begin("/instances?status=failed#2");
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

    Reply done = finish(begun, answer(begun, anna()));

    assertThat(done.status()).isEqualTo(302);
    assertThat(done.headers())
        .containsEntry("Location", FakeIssuer.BASE + "/instances?status=failed#2");
    assertThat(done.cookies()).anyMatch(c -> c.startsWith("millrace_oidc=;"));
    FakeRequest browser = Kit.browser(done);
    Caller caller = kit.guard.admit(browser, Permission.OPERATOR);
    assertThat(caller.actor()).isEqualTo("oidc:anna");
    assertThat(caller.means()).isEqualTo(Caller.Means.OIDC);
    SessionRoutes.View view = (SessionRoutes.View) kit.send("whoAmI", browser, null).body();
    assertThat(view.methods()).containsExactly("password", "oidc");
    kit.guard.admit(
        browser.method("POST").header("X-CSRF-Token", view.csrfToken()), Permission.OPERATOR);
    assertThat(kit.audit)
        .containsExactly("oidc:anna login null subject 4711 as operator from 192.0.2.1");
    assertThat(
            kit.refusal("changePassword", browser.header("X-CSRF-Token", view.csrfToken()), "{}")
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
        Named.of("expired", c -> c.expirationTime(Date.from(Kit.START.minusSeconds(61)))),
        Named.of("no beginning", c -> c.issueTime(null)),
        Named.of("not yet", c -> c.issueTime(Date.from(Kit.START.plusSeconds(61)))),
        Named.of("not before", c -> c.notBeforeTime(Date.from(Kit.START.plusSeconds(61)))));
  }

  private static JWTClaimsSet.Builder copy(JWTClaimsSet.Builder claims) {
    return new JWTClaimsSet.Builder(claims.build());
  }

  @ParameterizedTest
  @MethodSource("badClaims")
  void aTokenWithWrongClaimsIsRefused(UnaryOperator<JWTClaimsSet.Builder> change) {
    issuer.signer =
        (fake, claims) -> fake.signed(change.apply(new JWTClaimsSet.Builder(claims)).build());

    assertThat(Kit.refusal(() -> logIn(anna())).kind()).isEqualTo(Kind.UNAUTHORIZED);
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

    assertThat(Kit.refusal(() -> logIn(anna())).kind()).isEqualTo(Kind.UNAUTHORIZED);
    assertNobodyIsIn();
  }

  private void assertNobodyIsIn() {
    assertThat(kit.audit).singleElement().asString().startsWith("anonymous loginFailed");
    issuer.signer = FakeIssuer::signed;
    logIn(anna());
    assertThat(kit.audit).hasSize(2);
  }

  @Test
  void aStateIsGoodOnceAndForItsBrowserAndForTenMinutes() {
    Reply begun = begin(null);
    Map<String, String> query = answer(begun, anna());
    finish(begun, query);
    assertThat(Kit.refusal(() -> finish(begun, query)).detail()).contains("used before");

    Reply mine = begin(null);
    Reply theirs = begin(null);
    assertThat(Kit.refusal(() -> finish(mine, answer(theirs, anna()))).kind())
        .isEqualTo(Kind.UNAUTHORIZED);

    Reply slow = begin(null);
    Map<String, String> late = answer(slow, anna());
    kit.clock.advance(Duration.ofMinutes(10));
    assertThat(Kit.refusal(() -> finish(slow, late)).detail()).contains("too late");
  }

  @Test
  void anAnswerWithoutStateCookieOrCodeIsRefused() {
    Reply begun = begin(null);
    Map<String, String> query = answer(begun, anna());
    FakeRequest bare = FakeRequest.of("GET");

    assertThat(Kit.refusal(() -> kit.send("finishOidc", bare, null, query)).kind())
        .isEqualTo(Kind.UNAUTHORIZED);
    assertThat(Kit.refusal(() -> finish(begun, Map.of("code", "x"))).kind())
        .isEqualTo(Kind.UNAUTHORIZED);
    assertThat(Kit.refusal(() -> finish(begun, Map.of("state", query.get("state")))).kind())
        .isEqualTo(Kind.UNAUTHORIZED);
    Reply again = begin(null);
    Map<String, String> mixed = answer(again, anna());
    mixed.put("iss", "https://other.example");
    assertThat(Kit.refusal(() -> finish(again, mixed)).kind()).isEqualTo(Kind.UNAUTHORIZED);
    mixed.put("iss", issuer.address());
    assertThat(finish(again, mixed).status()).isEqualTo(302);
  }

  @Test
  void anErrorOfTheIssuerIsToldWithoutItsText() {
    Refusal plain = Kit.refusal(() -> finish(begin(null), Map.of("error", "access_denied")));
    Refusal odd = Kit.refusal(() -> finish(begin(null), Map.of("error", "<script>alert(1)")));

    assertThat(plain.detail()).contains("access_denied");
    assertThat(odd.detail()).doesNotContain("script");
  }

  @Test
  void aBrowserThatIsRefusedGetsAPageToRead() {
    Reply begun = begin(null);
    FakeRequest browser =
        FakeRequest.of("GET")
            .cookie(SessionCookies.OIDC, Kit.cookie(begun, SessionCookies.OIDC))
            .header("Accept", "text/html,application/xhtml+xml,*/*;q=0.8");

    Reply page =
        kit.send(
            "finishOidc",
            browser,
            null,
            answer(begun, anna().claim("preferred_username", "<b>&'\"").claim("groups", "other")));

    assertThat(page.status()).isEqualTo(401);
    assertThat(page.cookies()).isEmpty();
    assertThat(((Reply.Page) page.body()).html())
        .contains("oidc:&lt;b&gt;&amp;&#39;&quot;", "none of the user&#39;s groups")
        .contains("<a href=\"" + FakeIssuer.BASE + "/\">")
        .doesNotContain("<b>");
  }

  @Test
  void aCodeOfBlanksIsNoCode() {
    Reply begun = begin(null);
    Map<String, String> query = answer(begun, anna());
    query.put("code", " ");

    assertThat(Kit.refusal(() -> finish(begun, query)).detail()).contains("it gave no code");
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
    Reply begun = begin(to);

    Reply done = finish(begun, answer(begun, anna()));

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
      FakeRequest browser = Kit.browser(logIn(anna().claim("groups", groups)));
      assertThat(kit.send("whoAmI", browser, null).body())
          .extracting(view -> ((SessionRoutes.View) view).role())
          .as(groups.toString())
          .isEqualTo(role);
    });
  }

  @Test
  void whoIsInNoGroupWithARoleStaysOutAndIsToldWhy() {
    for (Object groups : List.of(List.of("other"), "ADMIN", 7, Map.of("a", "sre"), List.of())) {
      Refusal refusal = Kit.refusal(() -> logIn(anna().claim("groups", groups)));
      assertThat(refusal.kind()).as(groups.toString()).isEqualTo(Kind.UNAUTHORIZED);
      assertThat(refusal.detail()).contains("oidc:anna").contains("none of the user's groups");
    }
  }

  @Test
  void groupsMayLieDeeper() throws Exception {
    OidcRoles roles = new OidcRoles("realm_access.roles", issuer.settings().roles());
    JWTClaimsSet claims = JWTClaimsSet.parse("{\"realm_access\": {\"roles\": [\"x\", \"sre\"]}}");

    assertThat(roles.of(claims)).contains(Role.ADMIN);
    assertThat(roles.of(JWTClaimsSet.parse("{\"realm_access\": \"sre\"}"))).isEmpty();
  }

  @Test
  void aUserOfTheIssuerIsNobodyElse() {
    logIn(anna().claim("preferred_username", "admin"));
    logIn(anna().claim("preferred_username", "key:nightly\u202e\n"));
    logIn(anna().claim("preferred_username", "x".repeat(500)));

    assertThat(kit.audit.get(0)).startsWith("oidc:admin login");
    assertThat(kit.audit.get(1)).startsWith("oidc:key:nightly login");
    assertThat(kit.audit.get(2)).startsWith("oidc:" + "x".repeat(90) + " login");
  }

  @Test
  void keysAndDescriptionAreKeptForAWhile() {
    logIn(anna());
    logIn(anna());
    logIn(anna());

    assertThat(issuer.asked)
        .containsOnlyOnce("/keys")
        .containsOnlyOnce("/.well-known/openid-configuration");
    kit.clock.advance(Duration.ofHours(1));
    logIn(anna());
    assertThat(issuer.asked).filteredOn(p -> p.contains("well-known")).hasSize(2);
  }

  @Test
  void passwordsGoOnWhileTheIssuerIsAway() {
    issuer.close();
    NewLogin otto = kit.accounts.renew("otto", Role.VIEWER);

    Refusal refusal = Kit.refusal(() -> begin(null));

    assertThat(refusal.kind()).isEqualTo(Kind.UNAVAILABLE);
    assertThat(refusal.detail()).contains("Log in with a password");
    assertThat(kit.guard.admit(kit.logIn(otto), Permission.VIEWER).actor()).isEqualTo("otto");
  }

  @Test
  void anIssuerThatCallsItselfDifferentlyIsNotBelieved() {
    issuer.issuer = "http://127.0.0.1:1";

    assertThat(Kit.refusal(() -> begin(null)).kind()).isEqualTo(Kind.UNAVAILABLE);
  }

  @Test
  void anIssuerThatDoesNotAnswerWellIsLeftAloneForAMoment() {
    issuer.issuer = "http://127.0.0.1:1";
    Kit.refusal(() -> begin(null));
    Kit.refusal(() -> begin(null));
    assertThat(issuer.asked).filteredOn(p -> p.contains("well-known")).hasSize(1);

    issuer.issuer = issuer.address();
    kit.clock.advance(Duration.ofSeconds(10));
    assertThat(begin(null).status()).isEqualTo(302);
  }

  @Test
  void codesAreNotSentInTheOpenWhateverTheIssuerSays() {
    issuer.tokens = "http://192.0.2.1/token";

    assertThat(Kit.refusal(() -> begin(null)).kind()).isEqualTo(Kind.UNAVAILABLE);
  }

  @Test
  void anIssuerElsewhereMustSpeakHttps() {
    Security.Oidc plain =
        new Security.Oidc(
            URI.create("http://192.0.2.1"),
            "millrace",
            "x",
            URI.create(FakeIssuer.BASE),
            "groups",
            issuer.settings().roles());

    assertThatThrownBy(
            () -> kit.accounts.guard(Kit.LOCAL, Kit.security(plain), Kit.ABOUT, (a, b, c, d) -> {}))
        .isInstanceOf(MillraceException.class)
        .hasMessageContaining("https");
  }

  @Test
  void beginningIsLimitedSoThatNobodyFillsTheTable() {
    for (int i = 0; i < 30; i++) {
      begin(null);
    }

    assertThat(Kit.refusal(() -> begin(null)).kind()).isEqualTo(Kind.TOO_MANY);
  }

  @Test
  void withoutIssuerThereIsNoSuchLogin() {
    Http http = Kit.LOCAL;
    try (Kit plain = new Kit(database, http, Kit.security(null))) {
      assertThat(plain.refusal("logInWithOidc", FakeRequest.of("GET"), null).kind())
          .isEqualTo(Kind.NOT_FOUND);
    }
  }
}
