package io.millrace.server.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.instance.MillraceException;
import io.millrace.server.config.Security;
import io.millrace.server.security.Refusal.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource(Database.class)
class AccountsTest {

  @Parameter Database database;

  private Kit kit;
  private FakeRequest admin;

  @BeforeEach
  void open() {
    kit = new Kit(database);
    admin = FakeRequest.of("GET").key(kit.key(Role.ADMIN));
  }

  @AfterEach
  void close() {
    kit.close();
  }

  @Test
  void theTablesAreMadeOnceAndThenChecked() {
    assertThat(Accounts.open(kit.pool, true, kit.clock).hasUsers()).isFalse();
    assertThat(Accounts.open(kit.pool, false, kit.clock).hasUsers()).isFalse();
    kit.execute("DROP TABLE millrace_session");
    assertThatThrownBy(() -> Accounts.open(kit.pool, false, kit.clock))
        .isInstanceOf(MillraceException.class)
        .hasMessageContaining("schema print");
  }

  @Test
  void thePrintedTablesAreTheOnesThatAreMade() {
    try (Kit printed = new Kit(database)) {
      for (String table :
          List.of("user", "api_key", "session", "oidc_login", "server_secret", "login_link")) {
        printed.execute("DROP TABLE millrace_" + table);
      }
      for (String statement : Accounts.schema().split(";\n", -1)) {
        if (!statement.isBlank()) {
          printed.execute(statement);
        }
      }
      assertThat(Accounts.open(printed.pool, false, printed.clock).hasUsers()).isFalse();
    }
  }

  @Test
  void theFirstAdminGetsAPasswordThatIsShownOnce() {
    NewLogin first = kit.accounts.first(null).orElseThrow();

    assertThat(first.user()).isEqualTo("admin");
    assertThat(first.password()).matches("[a-z2-9]{5}(-[a-z2-9]{5}){3}");
    assertThat(first.toString()).doesNotContain(first.password());
    assertThat(kit.accounts.first(null)).isEmpty();
    FakeRequest browser = kit.logIn(first);
    assertThat(kit.guard.admit(browser, Permission.ADMIN).actor()).isEqualTo("admin");
  }

  @Test
  void theFirstAdminCanBeConfigured() {
    Security.Admin configured = new Security.Admin("Root", "a long enough one");

    assertThat(kit.accounts.first(configured)).isEmpty();
    assertThat(kit.accounts.first(new Security.Admin("other", "x"))).isEmpty();
    assertThat(kit.accounts.first(null)).isEmpty();
    kit.logIn(new NewLogin("root", "a long enough one"));
    assertThat(kit.accounts.users().list()).hasSize(1);
  }

  @Test
  void aRenewedUserHasOnlyTheNewPassword() {
    NewLogin old = kit.accounts.renew("demo", Role.OPERATOR);
    FakeRequest browser = kit.logIn(old);

    NewLogin fresh = kit.accounts.renew("demo", Role.OPERATOR);

    assertThat(fresh.password()).isNotEqualTo(old.password());
    kit.clock.advance(Duration.ofMinutes(1));
    assertThat(kit.refusal("logIn", FakeRequest.of("POST"), Kit.login("demo", old.password())))
        .extracting(Refusal::kind)
        .isEqualTo(Kind.UNAUTHORIZED);
    assertThat(Kit.refusal(() -> kit.guard.admit(browser, Permission.VIEWER)).kind())
        .isEqualTo(Kind.UNAUTHORIZED);
    assertThat(kit.guard.admit(kit.logIn(fresh), Permission.OPERATOR).actor()).isEqualTo("demo");
  }

  @Test
  void anAdminAddsUsersAndRemovesThem() {
    Reply made = kit.send("createUser", admin, "{\"name\": \"Anna\", \"role\": \"operator\"}");
    AccountRoutes.NewUserView anna = (AccountRoutes.NewUserView) made.body();
    FakeRequest browser = kit.logIn(new NewLogin("anna", anna.password()));

    assertThat(made.status()).isEqualTo(201);
    assertThat(kit.send("listUsers", admin, null).body())
        .isEqualTo(List.of(new AccountRoutes.UserView("anna", "operator", Kit.START.toString())));
    assertThat(kit.guard.admit(browser, Permission.OPERATOR).actor()).isEqualTo("anna");

    assertThat(kit.send("deleteUser", admin, null, Map.of("name", "anna")).status()).isEqualTo(204);
    assertThat(Kit.refusal(() -> kit.guard.admit(browser, Permission.VIEWER)).kind())
        .isEqualTo(Kind.UNAUTHORIZED);
    assertThat(kit.send("listUsers", admin, null).body()).isEqualTo(List.of());
    assertThat(kit.audit)
        .containsExactly(
            "key:admin userCreated anna as operator",
            "anna login null from 192.0.2.1",
            "key:admin userDeleted anna null");
  }

  @Test
  void aRoleIsChangedAndTheSessionsWithTheOldOneEnd() {
    NewLogin anna = kit.accounts.renew("anna", Role.OPERATOR);
    FakeRequest browser = kit.logIn(anna);

    assertThat(changeRole("anna", "viewer").status()).isEqualTo(204);

    assertThat(Kit.refusal(() -> kit.guard.admit(browser, Permission.VIEWER)).kind())
        .isEqualTo(Kind.UNAUTHORIZED);
    FakeRequest again = kit.logIn(anna);
    assertThat(kit.guard.admit(again, Permission.VIEWER).actor()).isEqualTo("anna");
    assertThat(Kit.refusal(() -> kit.guard.admit(again, Permission.OPERATOR)).kind())
        .isEqualTo(Kind.FORBIDDEN);
    assertThat(kit.audit).contains("key:admin roleChanged anna now viewer");
    assertThat(Kit.refusal(() -> changeRole("nobody", "viewer")).kind()).isEqualTo(Kind.NOT_FOUND);
    assertThat(Kit.refusal(() -> changeRole("anna", "root")).kind()).isEqualTo(Kind.INVALID);
  }

  @Test
  void theLastAdminStaysAdmin() {
    kit.accounts.renew("one", Role.ADMIN);

    Refusal last = Kit.refusal(() -> changeRole("one", "operator"));

    assertThat(last.kind()).isEqualTo(Kind.CONFLICT);
    assertThat(last.detail()).contains("one is the only admin");
    assertThat(changeRole("one", "admin").status()).isEqualTo(204);
    kit.accounts.renew("two", Role.ADMIN);
    assertThat(changeRole("one", "operator").status()).isEqualTo(204);
  }

  private Reply changeRole(String user, String role) {
    return kit.send("changeRole", admin, "{\"role\": \"" + role + "\"}", Map.of("name", user));
  }

  /** Only the first password is judged, so that a server with users starts as before. */
  @Test
  void theFirstAdminIsNotConfiguredWithAPasswordThatIsEasyToGuess() {
    Security.Admin weak = new Security.Admin("admin", "admin1234567");

    assertThatThrownBy(() -> kit.accounts.first(weak))
        .isInstanceOf(MillraceException.class)
        .hasMessageStartingWith("security.admin.password is easy to guess")
        .hasMessageNotContaining(weak.password());
    assertThat(kit.accounts.users().list()).isEmpty();

    kit.accounts.renew("anna", Role.ADMIN);
    assertThat(kit.accounts.first(weak)).isEmpty();
  }

  @Test
  void keysWithoutAnOwnerEndNinetyDaysAfterTheyAreFound() {
    kit.accounts.renew("other", Role.ADMIN);
    FakeRequest owned = keyOf(kit.loggedIn("anna", Role.ADMIN), "viewer");
    FakeRequest decade =
        FakeRequest.of("GET").key(kit.accounts.keys().add("decade", Role.ADMIN, 3650).secret());
    kit.accounts.keys().add("week", Role.VIEWER, 7);
    Instant end = Kit.START.plus(Duration.ofDays(90));

    List<String> found = kit.accounts.endKeysWithoutOwner();
    kit.clock.advance(Duration.ofDays(80));
    List<String> later = kit.accounts.endKeysWithoutOwner();

    assertThat(found)
        .hasSize(3)
        .anyMatch(key -> key.startsWith("'admin' (mr_") && key.endsWith("expires " + end + ")"))
        .anyMatch(key -> key.startsWith("'decade' (mr_") && key.endsWith("expires " + end + ")"))
        .anyMatch(key -> key.startsWith("'week' (mr_"));
    assertThat(later).hasSize(2).isSubsetOf(found).isEqualTo(kit.accounts.keysWithoutOwner());
    kit.guard.admit(decade, Permission.ADMIN);
    kit.clock.advance(Duration.ofDays(10));
    for (FakeRequest one : List.of(admin, decade)) {
      assertThat(Kit.refusal(() -> kit.guard.admit(one, Permission.VIEWER)).kind())
          .isEqualTo(Kind.UNAUTHORIZED);
    }
    kit.guard.admit(owned, Permission.VIEWER);
  }

  @Test
  void aKeyWithoutAnOwnerMakesNoneThatOutlastsIt() {
    String body = "{\"name\": \"ci\", \"role\": \"viewer\", \"days\": 91}";
    Refusal refusal = kit.refusal("createKey", admin, body);
    assertThat(refusal.kind()).isEqualTo(Kind.INVALID);
    assertThat(refusal.detail())
        .isEqualTo("days is 91; expected 1 to 90 for a key without an owner.");
  }

  @Test
  void noTwoUsersHaveOneName() {
    kit.send("createUser", admin, "{\"name\": \"anna\", \"role\": \"viewer\"}");

    assertThat(kit.refusal("createUser", admin, "{\"name\": \"ANNA\", \"role\": \"admin\"}"))
        .extracting(Refusal::kind)
        .isEqualTo(Kind.CONFLICT);
    assertThat(kit.accounts.users().list()).hasSize(1);
  }

  @Test
  void badFieldsAreRefused() {
    for (String body :
        List.of(
            "[]",
            "{}",
            "{\"name\": \"anna\"}",
            "{\"name\": \"anna\", \"role\": \"root\"}",
            "{\"name\": \"anna\", \"role\": 3}",
            "{\"name\": \"oidc:anna\", \"role\": \"admin\"}",
            "{\"name\": \"\u0430nna\", \"role\": \"admin\"}",
            "{\"name\": \"a b\", \"role\": \"admin\"}",
            "{\"name\": \"anna\", \"role\": \"viewer\", \"more\": 1}",
            "{\"name\": \"" + "a".repeat(101) + "\", \"role\": \"viewer\"}")) {
      assertThat(kit.refusal("createUser", admin, body).kind()).as(body).isEqualTo(Kind.INVALID);
    }
    for (String days : List.of("0", "3651", "1.5", "\"x\"", "1e99", "99999999999")) {
      String body = "{\"name\": \"k\", \"role\": \"viewer\", \"days\": " + days + "}";
      assertThat(kit.refusal("createKey", admin, body).kind()).as(body).isEqualTo(Kind.INVALID);
    }
    assertThat(kit.refusal("createUser", admin, null).kind()).isEqualTo(Kind.INVALID);
    assertThat(kit.accounts.users().list()).isEmpty();
    assertThat(kit.accounts.keys().list()).hasSize(1);
  }

  @Test
  void theLastAdminStays() {
    kit.accounts.renew("one", Role.ADMIN);
    kit.accounts.renew("two", Role.ADMIN);

    kit.send("deleteUser", admin, null, Map.of("name", "one"));
    Refusal last = Kit.refusal(() -> kit.send("deleteUser", admin, null, Map.of("name", "two")));
    Refusal unknown = Kit.refusal(() -> kit.send("deleteUser", admin, null, Map.of("name", "one")));

    assertThat(last.kind()).isEqualTo(Kind.CONFLICT);
    assertThat(last.detail()).contains("two is the only admin");
    assertThat(unknown.kind()).isEqualTo(Kind.NOT_FOUND);
  }

  @Test
  void twoAdminsWhoRemoveEachOtherAtOnceLeaveOne() throws Exception {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int round = 0; round < 20; round++) {
        kit.accounts.renew("one", Role.ADMIN);
        kit.accounts.renew("two", Role.ADMIN);
        List<Callable<Users.Outcome>> both =
            List.of(
                () -> kit.accounts.users().remove("one"), () -> kit.accounts.users().remove("two"));
        for (Future<Users.Outcome> one : threads.invokeAll(both)) {
          assertThat(one.get()).isIn(Users.Outcome.DONE, Users.Outcome.LAST_ADMIN);
        }
        assertThat(kit.accounts.users().list()).hasSize(1);
      }
    }
  }

  @Test
  void aKeyIsShownOnceAndKeptAsAHash() {
    Reply made =
        kit.send("createKey", admin, "{\"name\": \"ci\", \"role\": \"viewer\", \"days\": 30}");
    AccountRoutes.NewKeyView key = (AccountRoutes.NewKeyView) made.body();

    assertThat(key.key()).matches("mr_[A-Za-z0-9_-]{43}").startsWith(key.prefix());
    assertThat(key.prefix()).hasSize(10);
    assertThat(key.expires()).isEqualTo(Kit.START.plus(Duration.ofDays(30)).toString());
    assertThat(Kit.JSON.writeValueAsString(kit.send("listKeys", admin, null).body()))
        .doesNotContain(key.key())
        .doesNotContain(Tokens.hash(key.key()));
    assertThat(kit.guard.admit(FakeRequest.of("GET").key(key.key()), Permission.VIEWER).actor())
        .isEqualTo("key:ci");
  }

  @Test
  void aKeyEndsAtItsTime() {
    String secret = kit.accounts.keys().add("ci", Role.VIEWER, 1).secret();
    FakeRequest request = FakeRequest.of("GET").key(secret);
    kit.clock.advance(Duration.ofDays(1).minusSeconds(1));

    kit.guard.admit(request, Permission.VIEWER);
    kit.clock.advance(Duration.ofSeconds(1));

    assertThat(Kit.refusal(() -> kit.guard.admit(request, Permission.VIEWER)).kind())
        .isEqualTo(Kind.UNAUTHORIZED);
  }

  @Test
  void aRemovedKeyEndsAtOnceHereAndSoonElsewhere() {
    ApiKeys.Made made = kit.accounts.keys().add("ci", Role.VIEWER, null);
    FakeRequest request = FakeRequest.of("GET").key(made.secret());
    Guard other = kit.otherNode();
    Caller caller = kit.guard.admit(request, Permission.VIEWER);
    other.admit(request, Permission.VIEWER);

    kit.send("deleteKey", admin, null, Map.of("id", Long.toString(made.key().id())));

    assertThat(Kit.refusal(() -> kit.guard.admit(request, Permission.VIEWER)).kind())
        .isEqualTo(Kind.UNAUTHORIZED);
    assertThat(kit.guard.stillHolds(caller)).isFalse();
    kit.clock.advance(Duration.ofSeconds(3));
    assertThat(Kit.refusal(() -> other.admit(request, Permission.VIEWER)).kind())
        .isEqualTo(Kind.UNAUTHORIZED);
    assertThat(Kit.refusal(() -> kit.send("deleteKey", admin, null, Map.of("id", "999999"))).kind())
        .isEqualTo(Kind.NOT_FOUND);
    assertThat(Kit.refusal(() -> kit.send("deleteKey", admin, null, Map.of("id", "x1"))).kind())
        .isEqualTo(Kind.INVALID);
  }

  @Test
  void theUseOfAKeyIsNotedOnceAMinute() {
    ApiKeys.Made made = kit.accounts.keys().add("ci", Role.VIEWER, null);
    FakeRequest request = FakeRequest.of("GET").key(made.secret());

    kit.guard.admit(request, Permission.VIEWER);
    kit.clock.advance(Duration.ofSeconds(59));
    kit.guard.admit(request, Permission.VIEWER);
    assertThat(lastUsed(made)).contains(Kit.START.toString());

    kit.clock.advance(Duration.ofSeconds(5));
    kit.guard.admit(request, Permission.VIEWER);
    assertThat(lastUsed(made)).contains(Kit.START.plusSeconds(64).toString());
  }

  private Optional<String> lastUsed(ApiKeys.Made made) {
    return kit.accounts.keys().list().stream()
        .filter(k -> k.id() == made.key().id())
        .map(k -> String.valueOf(k.lastUsed()))
        .findFirst();
  }

  @Test
  void aWrongKeyIsNotMadeGoodByACookie() {
    FakeRequest browser = kit.loggedIn("anna", Role.ADMIN);

    for (String authorization :
        List.of(
            "Bearer mr_" + "A".repeat(43), "Bearer ", "Bearer x", "Basic YTpi", "mr_x", "bearer")) {
      FakeRequest request = browser.header("Authorization", authorization);
      assertThat(Kit.refusal(() -> kit.guard.admit(request, Permission.VIEWER)).kind())
          .as(authorization)
          .isEqualTo(Kind.UNAUTHORIZED);
    }
  }

  @Test
  void withoutDatabaseNobodyIsLetIn() {
    FakeRequest browser = kit.loggedIn("anna", Role.ADMIN);
    NewLogin login = kit.accounts.renew("otto", Role.ADMIN);
    Caller caller = kit.guard.admit(admin, Permission.ADMIN);
    kit.clock.advance(Duration.ofMinutes(5));
    kit.execute("DROP TABLE millrace_user");
    kit.execute("DROP TABLE millrace_session");
    kit.execute("DROP TABLE millrace_api_key");

    for (FakeRequest request : List.of(browser, admin)) {
      Refusal refusal = Kit.refusal(() -> kit.guard.admit(request, Permission.VIEWER));
      assertThat(refusal.kind()).isEqualTo(Kind.UNAVAILABLE);
      assertThat(refusal.detail()).doesNotContainIgnoringCase("millrace_").doesNotContain("SQL");
    }
    assertThat(kit.refusal("logIn", FakeRequest.of("POST"), Kit.login("otto", login.password())))
        .extracting(Refusal::kind)
        .isEqualTo(Kind.UNAVAILABLE);
    assertThat(kit.guard.stillHolds(caller)).isFalse();
    assertThat(kit.guard.admit(admin, Permission.PUBLIC)).isEqualTo(Caller.NOBODY);
  }

  private FakeRequest keyOf(FakeRequest browser, String role) {
    Reply made = kit.send("createKey", browser, "{\"name\": \"ci\", \"role\": \"" + role + "\"}");
    AccountRoutes.NewKeyView key = (AccountRoutes.NewKeyView) made.body();
    assertThat(key.owner()).isEqualTo("anna");
    assertThat(key.expires()).isEqualTo(Kit.START.plus(Duration.ofDays(365)).toString());
    return FakeRequest.of("GET").key(key.key());
  }

  @Test
  void aKeyEndsWithItsOwner() {
    kit.accounts.renew("other", Role.ADMIN);
    FakeRequest key = keyOf(kit.loggedIn("anna", Role.ADMIN), "admin");
    FakeRequest further = keyOf(key, "viewer");
    assertThat(kit.guard.admit(key, Permission.ADMIN).actor()).isEqualTo("key:ci");

    kit.send("deleteUser", admin, null, Map.of("name", "anna"));

    for (FakeRequest one : List.of(key, further)) {
      assertThat(Kit.refusal(() -> kit.guard.admit(one, Permission.VIEWER)).kind())
          .isEqualTo(Kind.UNAUTHORIZED);
    }
    kit.accounts.renew("anna", Role.ADMIN);
    assertThat(Kit.refusal(() -> kit.guard.admit(key, Permission.VIEWER)).kind())
        .isEqualTo(Kind.UNAUTHORIZED);
  }

  @Test
  void aKeyMayNoMoreThanItsOwner() {
    kit.accounts.renew("other", Role.ADMIN);
    FakeRequest key = keyOf(kit.loggedIn("anna", Role.ADMIN), "admin");

    changeRole("anna", "viewer");

    assertThat(Kit.refusal(() -> kit.guard.admit(key, Permission.OPERATOR)).kind())
        .isEqualTo(Kind.FORBIDDEN);
    assertThat(kit.guard.admit(key, Permission.VIEWER).role()).isEqualTo(Role.VIEWER);
  }
}
