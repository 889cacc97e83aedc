package io.millrace.server.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.server.security.RejectedRequestException.Kind;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests links that log a user in once. */
@ParameterizedClass
@EnumSource(AccountDatabase.class)
class LoginLinksTest {

  @Parameter AccountDatabase database;

  private SecurityFixture securityFixture;

  @BeforeEach
  void open() {
    securityFixture = new SecurityFixture(database);
    securityFixture.accounts.replaceUser("anna", Role.OPERATOR);
  }

  @AfterEach
  void close() {
    securityFixture.close();
  }

  private static String body(String token) {
    return "{\"token\": \"" + token + "\"}";
  }

  private SecurityResponse use(String token) {
    return securityFixture.send("logInByLink", FakeRequest.of("POST"), body(token));
  }

  private RejectedRequestException refused(String token) {
    return securityFixture.refusal("logInByLink", FakeRequest.of("POST"), body(token));
  }

  private String user(SecurityResponse securityResponse) {
    SecurityResponse session =
        securityFixture.send("whoAmI", SecurityFixture.browser(securityResponse), null);
    return ((SessionRoutes.View) session.body()).user();
  }

  @Test
  void aLinkLogsInAsThePasswordDoes() {
    String token = securityFixture.accounts.loginLink("anna");

    SecurityResponse securityResponse = use(token);

    assertThat(securityResponse.status()).isEqualTo(200);
    assertThat(securityResponse.cookies())
        .singleElement()
        .asString()
        .matches(
            "millrace_session=[A-Za-z0-9_-]{43}; Path=/; HttpOnly; SameSite=Lax; Max-Age=43200");
    SessionRoutes.View view = (SessionRoutes.View) securityResponse.body();
    assertThat(view.user()).isEqualTo("anna");
    assertThat(view.role()).isEqualTo("operator");
    assertThat(SecurityFixture.browser(securityResponse).header("X-CSRF-Token"))
        .isEqualTo(view.csrfToken());
    assertThat(user(securityResponse)).isEqualTo("anna");
    assertThat(securityFixture.audit)
        .containsExactly("anna login null from 192.0.2.1 by a login link");
  }

  @Test
  void theTokenIsNotStored() {
    String token = securityFixture.accounts.loginLink("anna");

    List<String> stored =
        new Transactions(securityFixture.pool, securityFixture.clock)
            .run(s -> s.list("SELECT hash FROM millrace_login_link", row -> row.getString(1)));

    assertThat(token).matches("[A-Za-z0-9_-]{43}");
    assertThat(stored).containsExactly(SecureTokens.hash(token)).doesNotContain(token);
  }

  @Test
  void aLinkThatWasUsedIsRefusedAndAudited() {
    String token = securityFixture.accounts.loginLink("anna");
    use(token);

    RejectedRequestException rejectedRequestException = refused(token);

    assertThat(rejectedRequestException.kind()).isEqualTo(Kind.UNAUTHORIZED);
    assertThat(rejectedRequestException.detail())
        .isEqualTo("This login link was used already. Log in with the name and the password.");
    assertThat(securityFixture.audit)
        .endsWith("anonymous loginFailed anna from 192.0.2.1 by a login link")
        .hasSize(2);
  }

  @Test
  void anUnknownOrExpiredLinkIsRefusedAndAudited() {
    String token = securityFixture.accounts.loginLink("anna");
    securityFixture.clock.advance(LoginLinkStore.LIFETIME);

    for (RejectedRequestException rejectedRequestException :
        List.of(refused(token), refused("A".repeat(43)), refused(""))) {
      assertThat(rejectedRequestException.kind()).isEqualTo(Kind.UNAUTHORIZED);
      assertThat(rejectedRequestException.detail())
          .isEqualTo(
              "This login link is unknown or has expired. Log in with the name and the password.");
    }
    assertThat(securityFixture.audit)
        .hasSize(3)
        .containsOnly("anonymous loginFailed unknown user from 192.0.2.1 by a login link");
  }

  @Test
  void aLinkCountsAgainstTheLoginLimitOfItsAddress() {
    String good = securityFixture.accounts.loginLink("anna");
    for (int i = 0; i < 10; i++) {
      assertThat(refused("guess" + i).kind()).isEqualTo(Kind.UNAUTHORIZED);
    }

    assertThat(refused(good).kind()).isEqualTo(Kind.TOO_MANY);
    assertThat(
            securityFixture
                .refusal("logIn", FakeRequest.of("POST"), SecurityFixture.login("anna", "x"))
                .kind())
        .as("the same limit as for passwords")
        .isEqualTo(Kind.TOO_MANY);
    securityFixture.clock.advance(Duration.ofSeconds(6));
    assertThat(use(good).status()).as("a refusal by the limit uses no link").isEqualTo(200);
  }

  @Test
  void ofManyUsesAtOnceOneLogsIn() throws Exception {
    String token = securityFixture.accounts.loginLink("anna");
    Callable<Integer> use = () -> SecurityFixture.refusal(() -> use(token)) == null ? 1 : 0;
    try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
      int admitted = 0;
      for (Future<Integer> one : threads.invokeAll(Stream.generate(() -> use).limit(8).toList())) {
        admitted += one.get();
      }
      assertThat(admitted).isEqualTo(1);
    }
  }

  @Test
  void aLinkEndsWithItsUserRoleOrPassword() {
    securityFixture.accounts.replaceUser("root", Role.ADMIN);
    String before = securityFixture.accounts.loginLink("anna");
    securityFixture.accounts.replaceUser("anna", Role.OPERATOR);
    assertThat(refused(before).kind()).isEqualTo(Kind.UNAUTHORIZED);

    String role = securityFixture.accounts.loginLink("anna");
    securityFixture.accounts.users().changeRole("anna", Role.VIEWER);
    assertThat(refused(role).kind()).isEqualTo(Kind.UNAUTHORIZED);

    String password = securityFixture.accounts.loginLink("anna");
    securityFixture.accounts.users().changePassword("anna", "hash", "");
    assertThat(refused(password).kind()).isEqualTo(Kind.UNAUTHORIZED);

    String removed = securityFixture.accounts.loginLink("anna");
    securityFixture.accounts.users().remove("anna");
    assertThat(refused(removed).kind()).isEqualTo(Kind.UNAUTHORIZED);
  }

  @Test
  void aLinkEndsTheSessionThatTheBrowserHadAndOtherSitesCannotUseOne() {
    FakeRequest before = securityFixture.loggedIn("otto", Role.VIEWER);
    String token = securityFixture.accounts.loginLink("anna");
    FakeRequest foreign = FakeRequest.of("POST").header("Sec-Fetch-Site", "cross-site");
    assertThat(securityFixture.refusal("logInByLink", foreign, body(token)).kind())
        .isEqualTo(Kind.FORBIDDEN);

    SecurityResponse securityResponse =
        securityFixture.send("logInByLink", before.method("POST"), body(token));

    assertThat(user(securityResponse)).isEqualTo("anna");
    SessionRoutes.View old =
        (SessionRoutes.View) securityFixture.send("whoAmI", before, null).body();
    assertThat(old.user()).isNull();
  }
}
