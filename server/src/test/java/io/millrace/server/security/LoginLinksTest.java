package io.millrace.server.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.server.security.Refusal.Kind;
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

/** Links that log a user in once. */
@ParameterizedClass
@EnumSource(Database.class)
class LoginLinksTest {

  @Parameter Database database;

  private Kit kit;

  @BeforeEach
  void open() {
    kit = new Kit(database);
    kit.accounts.renew("anna", Role.OPERATOR);
  }

  @AfterEach
  void close() {
    kit.close();
  }

  private static String body(String token) {
    return "{\"token\": \"" + token + "\"}";
  }

  private Reply use(String token) {
    return kit.send("logInByLink", FakeRequest.of("POST"), body(token));
  }

  private Refusal refused(String token) {
    return kit.refusal("logInByLink", FakeRequest.of("POST"), body(token));
  }

  private String user(Reply reply) {
    Reply session = kit.send("whoAmI", Kit.browser(reply), null);
    return ((SessionRoutes.View) session.body()).user();
  }

  @Test
  void aLinkLogsInAsThePasswordDoes() {
    String token = kit.accounts.loginLink("anna");

    Reply reply = use(token);

    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.cookies())
        .singleElement()
        .asString()
        .matches(
            "millrace_session=[A-Za-z0-9_-]{43}; Path=/; HttpOnly; SameSite=Lax; Max-Age=43200");
    SessionRoutes.View view = (SessionRoutes.View) reply.body();
    assertThat(view.user()).isEqualTo("anna");
    assertThat(view.role()).isEqualTo("operator");
    assertThat(Kit.browser(reply).header("X-CSRF-Token")).isEqualTo(view.csrfToken());
    assertThat(user(reply)).isEqualTo("anna");
    assertThat(kit.audit).containsExactly("anna login null from 192.0.2.1 by a login link");
  }

  @Test
  void theTokenIsNotStored() {
    String token = kit.accounts.loginLink("anna");

    List<String> stored =
        new Db(kit.pool)
            .run(s -> s.list("SELECT hash FROM millrace_login_link", row -> row.getString(1)));

    assertThat(token).matches("[A-Za-z0-9_-]{43}");
    assertThat(stored).containsExactly(Tokens.hash(token)).doesNotContain(token);
  }

  @Test
  void aLinkThatWasUsedIsRefusedAndAudited() {
    String token = kit.accounts.loginLink("anna");
    use(token);

    Refusal refusal = refused(token);

    assertThat(refusal.kind()).isEqualTo(Kind.UNAUTHORIZED);
    assertThat(refusal.detail())
        .isEqualTo("This login link was used already. Log in with the name and the password.");
    assertThat(kit.audit)
        .endsWith("anonymous loginFailed anna from 192.0.2.1 by a login link")
        .hasSize(2);
  }

  @Test
  void anUnknownOrExpiredLinkIsRefusedAndAudited() {
    String token = kit.accounts.loginLink("anna");
    kit.clock.advance(LoginLinks.LIFETIME);

    for (Refusal refusal : List.of(refused(token), refused("A".repeat(43)), refused(""))) {
      assertThat(refusal.kind()).isEqualTo(Kind.UNAUTHORIZED);
      assertThat(refusal.detail())
          .isEqualTo(
              "This login link is unknown or has expired. Log in with the name and the password.");
    }
    assertThat(kit.audit)
        .hasSize(3)
        .containsOnly("anonymous loginFailed unknown user from 192.0.2.1 by a login link");
  }

  @Test
  void aLinkCountsAgainstTheLoginLimitOfItsAddress() {
    String good = kit.accounts.loginLink("anna");
    for (int i = 0; i < 10; i++) {
      assertThat(refused("guess" + i).kind()).isEqualTo(Kind.UNAUTHORIZED);
    }

    assertThat(refused(good).kind()).isEqualTo(Kind.TOO_MANY);
    assertThat(kit.refusal("logIn", FakeRequest.of("POST"), Kit.login("anna", "x")).kind())
        .as("the same limit as for passwords")
        .isEqualTo(Kind.TOO_MANY);
    kit.clock.advance(Duration.ofSeconds(6));
    assertThat(use(good).status()).as("a refusal by the limit uses no link").isEqualTo(200);
  }

  @Test
  void ofManyUsesAtOnceOneLogsIn() throws Exception {
    String token = kit.accounts.loginLink("anna");
    Callable<Integer> use = () -> Kit.refusal(() -> use(token)) == null ? 1 : 0;
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
    kit.accounts.renew("root", Role.ADMIN);
    String before = kit.accounts.loginLink("anna");
    kit.accounts.renew("anna", Role.OPERATOR);
    assertThat(refused(before).kind()).isEqualTo(Kind.UNAUTHORIZED);

    String role = kit.accounts.loginLink("anna");
    kit.accounts.users().changeRole("anna", Role.VIEWER);
    assertThat(refused(role).kind()).isEqualTo(Kind.UNAUTHORIZED);

    String password = kit.accounts.loginLink("anna");
    kit.accounts.users().changePassword("anna", "hash", "");
    assertThat(refused(password).kind()).isEqualTo(Kind.UNAUTHORIZED);

    String removed = kit.accounts.loginLink("anna");
    kit.accounts.users().remove("anna");
    assertThat(refused(removed).kind()).isEqualTo(Kind.UNAUTHORIZED);
  }

  @Test
  void aLinkEndsTheSessionThatTheBrowserHadAndOtherSitesCannotUseOne() {
    FakeRequest before = kit.loggedIn("otto", Role.VIEWER);
    String token = kit.accounts.loginLink("anna");
    FakeRequest foreign = FakeRequest.of("POST").header("Sec-Fetch-Site", "cross-site");
    assertThat(kit.refusal("logInByLink", foreign, body(token)).kind()).isEqualTo(Kind.FORBIDDEN);

    Reply reply = kit.send("logInByLink", before.method("POST"), body(token));

    assertThat(user(reply)).isEqualTo("anna");
    SessionRoutes.View old = (SessionRoutes.View) kit.send("whoAmI", before, null).body();
    assertThat(old.user()).isNull();
  }
}
