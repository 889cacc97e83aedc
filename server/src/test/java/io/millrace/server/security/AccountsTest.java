package io.millrace.server.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.fixtures.FaultyDataSource;
import io.millrace.instance.MillraceException;
import io.millrace.server.config.SecurityConfig;
import io.millrace.server.security.RejectedRequestException.Kind;
import io.millrace.store.sql.SchemaMode;
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
@EnumSource(AccountDatabase.class)
class AccountsTest {

  @Parameter AccountDatabase database;

  private SecurityFixture securityFixture;
  private FakeRequest admin;

  @BeforeEach
  void open() {
    securityFixture = new SecurityFixture(database);
    admin = FakeRequest.of("GET").key(securityFixture.key(Role.ADMIN));
  }

  @AfterEach
  void close() {
    securityFixture.close();
  }

  private static void dropTables(SecurityFixture fixture) {
    for (String table :
        List.of("user", "api_key", "session", "oidc_login", "server_secret", "login_link")) {
      fixture.execute("DROP TABLE millrace_" + table);
    }
    fixture.execute("DROP TABLE millrace_schema");
  }

  @Test
  void theTablesAreMadeOnceAndThenChecked() {
    dropTables(securityFixture);
    assertThat(
            Accounts.open(securityFixture.pool, SchemaMode.CREATE, securityFixture.clock)
                .hasUsers())
        .isFalse();
    assertThat(
            Accounts.open(securityFixture.pool, SchemaMode.VALIDATE, securityFixture.clock)
                .hasUsers())
        .isFalse();
    securityFixture.execute("DROP TABLE millrace_session");
    assertThatThrownBy(
            () -> Accounts.open(securityFixture.pool, SchemaMode.VALIDATE, securityFixture.clock))
        .isInstanceOf(MillraceException.class)
        .message()
        .containsIgnoringCase("millrace_session")
        .contains("drop all of these tables");
  }

  @Test
  void thePrintedTablesAreTheOnesThatAreMade() {
    try (SecurityFixture printed = new SecurityFixture(database)) {
      dropTables(printed);
      for (String statement : Accounts.schema(database.name()).split(";\n", -1)) {
        if (!statement.isBlank()) {
          printed.execute(statement);
        }
      }
      assertThat(Accounts.open(printed.pool, SchemaMode.VALIDATE, printed.clock).hasUsers())
          .isFalse();
    }
  }

  @Test
  void theFirstAdminGetsAPasswordThatIsShownOnce() {
    GeneratedLogin first = securityFixture.accounts.createFirstAdmin(null).orElseThrow();

    assertThat(first.user()).isEqualTo("admin");
    assertThat(first.password()).matches("[a-z2-9]{5}(-[a-z2-9]{5}){3}");
    assertThat(first.toString()).doesNotContain(first.password());
    assertThat(securityFixture.accounts.createFirstAdmin(null)).isEmpty();
    FakeRequest browser = securityFixture.logIn(first);
    assertThat(securityFixture.guard.admit(browser, Permission.ADMIN).actor()).isEqualTo("admin");
  }

  @Test
  void theFirstAdminCanBeConfigured() {
    SecurityConfig.Admin configured = new SecurityConfig.Admin("Root", "a long enough one");

    assertThat(securityFixture.accounts.createFirstAdmin(configured)).isEmpty();
    assertThat(securityFixture.accounts.createFirstAdmin(new SecurityConfig.Admin("other", "x")))
        .isEmpty();
    assertThat(securityFixture.accounts.createFirstAdmin(null)).isEmpty();
    securityFixture.logIn(new GeneratedLogin("root", "a long enough one"));
    assertThat(securityFixture.accounts.users().list()).hasSize(1);
  }

  @Test
  void aRenewedUserHasOnlyTheNewPassword() {
    GeneratedLogin old = securityFixture.accounts.replaceUser("demo", Role.OPERATOR);
    FakeRequest browser = securityFixture.logIn(old);

    GeneratedLogin fresh = securityFixture.accounts.replaceUser("demo", Role.OPERATOR);

    assertThat(fresh.password()).isNotEqualTo(old.password());
    securityFixture.clock.advance(Duration.ofMinutes(1));
    assertThat(
            securityFixture.refusal(
                "logIn", FakeRequest.of("POST"), SecurityFixture.login("demo", old.password())))
        .extracting(RejectedRequestException::kind)
        .isEqualTo(Kind.UNAUTHORIZED);
    assertThat(
            SecurityFixture.refusal(() -> securityFixture.guard.admit(browser, Permission.VIEWER))
                .kind())
        .isEqualTo(Kind.UNAUTHORIZED);
    assertThat(
            securityFixture.guard.admit(securityFixture.logIn(fresh), Permission.OPERATOR).actor())
        .isEqualTo("demo");
  }

  @Test
  void anAdminAddsUsersAndRemovesThem() {
    SecurityResponse made =
        securityFixture.send("createUser", admin, "{\"name\": \"Anna\", \"role\": \"operator\"}");
    AccountRoutes.NewUserView anna = (AccountRoutes.NewUserView) made.body();
    FakeRequest browser = securityFixture.logIn(new GeneratedLogin("anna", anna.password()));

    assertThat(made.status()).isEqualTo(201);
    assertThat(securityFixture.send("listUsers", admin, null).body())
        .isEqualTo(
            List.of(
                new AccountRoutes.UserView("anna", "operator", SecurityFixture.START.toString())));
    assertThat(securityFixture.guard.admit(browser, Permission.OPERATOR).actor()).isEqualTo("anna");

    assertThat(securityFixture.send("deleteUser", admin, null, Map.of("name", "anna")).status())
        .isEqualTo(204);
    assertThat(
            SecurityFixture.refusal(() -> securityFixture.guard.admit(browser, Permission.VIEWER))
                .kind())
        .isEqualTo(Kind.UNAUTHORIZED);
    assertThat(securityFixture.send("listUsers", admin, null).body()).isEqualTo(List.of());
    assertThat(securityFixture.audit)
        .containsExactly(
            "key:admin userCreated anna as operator",
            "anna login null from 192.0.2.1",
            "key:admin userDeleted anna null");
  }

  @Test
  void aRoleIsChangedAndTheSessionsWithTheOldOneEnd() {
    GeneratedLogin anna = securityFixture.accounts.replaceUser("anna", Role.OPERATOR);
    FakeRequest browser = securityFixture.logIn(anna);

    assertThat(changeRole("anna", "viewer").status()).isEqualTo(204);

    assertThat(
            SecurityFixture.refusal(() -> securityFixture.guard.admit(browser, Permission.VIEWER))
                .kind())
        .isEqualTo(Kind.UNAUTHORIZED);
    FakeRequest again = securityFixture.logIn(anna);
    assertThat(securityFixture.guard.admit(again, Permission.VIEWER).actor()).isEqualTo("anna");
    assertThat(
            SecurityFixture.refusal(() -> securityFixture.guard.admit(again, Permission.OPERATOR))
                .kind())
        .isEqualTo(Kind.FORBIDDEN);
    assertThat(securityFixture.audit).contains("key:admin roleChanged anna now viewer");
    assertThat(SecurityFixture.refusal(() -> changeRole("nobody", "viewer")).kind())
        .isEqualTo(Kind.NOT_FOUND);
    assertThat(SecurityFixture.refusal(() -> changeRole("anna", "root")).kind())
        .isEqualTo(Kind.INVALID);
  }

  @Test
  void theLastAdminStaysAdmin() {
    securityFixture.accounts.replaceUser("one", Role.ADMIN);

    RejectedRequestException last = SecurityFixture.refusal(() -> changeRole("one", "operator"));

    assertThat(last.kind()).isEqualTo(Kind.CONFLICT);
    assertThat(last.detail()).contains("one is the only admin");
    assertThat(changeRole("one", "admin").status()).isEqualTo(204);
    securityFixture.accounts.replaceUser("two", Role.ADMIN);
    assertThat(changeRole("one", "operator").status()).isEqualTo(204);
  }

  private SecurityResponse changeRole(String user, String role) {
    return securityFixture.send(
        "changeRole", admin, "{\"role\": \"" + role + "\"}", Map.of("name", user));
  }

  /** Only the first password is checked, so that a server with users starts as before. */
  @Test
  void theFirstAdminIsNotConfiguredWithAPasswordThatIsEasyToGuess() {
    SecurityConfig.Admin weak = new SecurityConfig.Admin("admin", "admin1234567");

    assertThatThrownBy(() -> securityFixture.accounts.createFirstAdmin(weak))
        .isInstanceOf(MillraceException.class)
        .hasMessageStartingWith("security.admin.password is easy to guess")
        .hasMessageNotContaining(weak.password());
    assertThat(securityFixture.accounts.users().list()).isEmpty();

    securityFixture.accounts.replaceUser("anna", Role.ADMIN);
    assertThat(securityFixture.accounts.createFirstAdmin(weak)).isEmpty();
  }

  @Test
  void keysWithoutAnOwnerEndNinetyDaysAfterTheyAreFound() {
    securityFixture.accounts.replaceUser("other", Role.ADMIN);
    FakeRequest owned = keyOf(securityFixture.loggedIn("anna", Role.ADMIN), "viewer");
    FakeRequest decade =
        FakeRequest.of("GET")
            .key(securityFixture.accounts.keys().add("decade", Role.ADMIN, 3650).secret());
    securityFixture.accounts.keys().add("week", Role.VIEWER, 7);
    Instant end = SecurityFixture.START.plus(Duration.ofDays(90));

    List<String> found = securityFixture.accounts.endKeysWithoutOwner();
    securityFixture.clock.advance(Duration.ofDays(80));
    List<String> later = securityFixture.accounts.endKeysWithoutOwner();

    assertThat(found)
        .hasSize(3)
        .anyMatch(key -> key.startsWith("'admin' (mr_") && key.endsWith("expires " + end + ")"))
        .anyMatch(key -> key.startsWith("'decade' (mr_") && key.endsWith("expires " + end + ")"))
        .anyMatch(key -> key.startsWith("'week' (mr_"));
    assertThat(later)
        .hasSize(2)
        .isSubsetOf(found)
        .isEqualTo(securityFixture.accounts.keysWithoutOwner());
    securityFixture.guard.admit(decade, Permission.ADMIN);
    securityFixture.clock.advance(Duration.ofDays(10));
    for (FakeRequest one : List.of(admin, decade)) {
      assertThat(
              SecurityFixture.refusal(() -> securityFixture.guard.admit(one, Permission.VIEWER))
                  .kind())
          .isEqualTo(Kind.UNAUTHORIZED);
    }
    securityFixture.guard.admit(owned, Permission.VIEWER);
  }

  @Test
  void aKeyWithoutAnOwnerMakesNoneThatOutlastsIt() {
    String body = "{\"name\": \"ci\", \"role\": \"viewer\", \"days\": 91}";
    RejectedRequestException rejectedRequestException =
        securityFixture.refusal("createKey", admin, body);
    assertThat(rejectedRequestException.kind()).isEqualTo(Kind.INVALID);
    assertThat(rejectedRequestException.detail())
        .isEqualTo("days is 91; expected 1 to 90 for a key without an owner.");
  }

  @Test
  void noTwoUsersHaveOneName() {
    securityFixture.send("createUser", admin, "{\"name\": \"anna\", \"role\": \"viewer\"}");

    assertThat(
            securityFixture.refusal(
                "createUser", admin, "{\"name\": \"ANNA\", \"role\": \"admin\"}"))
        .extracting(RejectedRequestException::kind)
        .isEqualTo(Kind.CONFLICT);
    assertThat(securityFixture.accounts.users().list()).hasSize(1);
  }

  @Test
  void conflictsWithOtherTransactionsAreNotSeenByTheCaller() {
    FaultyDataSource faulty = new FaultyDataSource(securityFixture.pool);
    Accounts accounts =
        Accounts.open(faulty.dataSource(), SchemaMode.VALIDATE, securityFixture.clock);
    int commit = 1; // after the insert
    faulty.armConflicts(commit, 6);

    assertThat(accounts.users().add("anna", Role.VIEWER, "hash")).isPresent();

    assertThat(faulty.conflicts()).isZero();
    assertThat(faulty.unclean()).isEmpty();
    assertThat(accounts.users().list()).extracting(UserStore.User::name).containsExactly("anna");
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
      assertThat(securityFixture.refusal("createUser", admin, body).kind())
          .as(body)
          .isEqualTo(Kind.INVALID);
    }
    for (String days : List.of("0", "3651", "1.5", "\"x\"", "1e99", "99999999999")) {
      String body = "{\"name\": \"k\", \"role\": \"viewer\", \"days\": " + days + "}";
      assertThat(securityFixture.refusal("createKey", admin, body).kind())
          .as(body)
          .isEqualTo(Kind.INVALID);
    }
    assertThat(securityFixture.refusal("createUser", admin, null).kind()).isEqualTo(Kind.INVALID);
    assertThat(securityFixture.accounts.users().list()).isEmpty();
    assertThat(securityFixture.accounts.keys().list()).hasSize(1);
  }

  @Test
  void theLastAdminStays() {
    securityFixture.accounts.replaceUser("one", Role.ADMIN);
    securityFixture.accounts.replaceUser("two", Role.ADMIN);

    securityFixture.send("deleteUser", admin, null, Map.of("name", "one"));
    RejectedRequestException last =
        SecurityFixture.refusal(
            () -> securityFixture.send("deleteUser", admin, null, Map.of("name", "two")));
    RejectedRequestException unknown =
        SecurityFixture.refusal(
            () -> securityFixture.send("deleteUser", admin, null, Map.of("name", "one")));

    assertThat(last.kind()).isEqualTo(Kind.CONFLICT);
    assertThat(last.detail()).contains("two is the only admin");
    assertThat(unknown.kind()).isEqualTo(Kind.NOT_FOUND);
  }

  @Test
  void twoAdminsWhoRemoveEachOtherAtOnceLeaveOne() throws Exception {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int round = 0; round < 20; round++) {
        securityFixture.accounts.replaceUser("one", Role.ADMIN);
        securityFixture.accounts.replaceUser("two", Role.ADMIN);
        List<Callable<UserStore.Outcome>> both =
            List.of(
                () -> securityFixture.accounts.users().remove("one"),
                () -> securityFixture.accounts.users().remove("two"));
        for (Future<UserStore.Outcome> one : threads.invokeAll(both)) {
          assertThat(one.get()).isIn(UserStore.Outcome.DONE, UserStore.Outcome.LAST_ADMIN);
        }
        assertThat(securityFixture.accounts.users().list()).hasSize(1);
      }
    }
  }

  @Test
  void aKeyIsShownOnceAndKeptAsAHash() {
    SecurityResponse made =
        securityFixture.send(
            "createKey", admin, "{\"name\": \"ci\", \"role\": \"viewer\", \"days\": 30}");
    AccountRoutes.NewKeyView key = (AccountRoutes.NewKeyView) made.body();

    assertThat(key.key()).matches("mr_[A-Za-z0-9_-]{43}").startsWith(key.prefix());
    assertThat(key.prefix()).hasSize(10);
    assertThat(key.expires()).isEqualTo(SecurityFixture.START.plus(Duration.ofDays(30)).toString());
    assertThat(
            SecurityFixture.JSON.writeValueAsString(
                securityFixture.send("listKeys", admin, null).body()))
        .doesNotContain(key.key())
        .doesNotContain(SecureTokens.hash(key.key()));
    assertThat(
            securityFixture
                .guard
                .admit(FakeRequest.of("GET").key(key.key()), Permission.VIEWER)
                .actor())
        .isEqualTo("key:ci");
  }

  @Test
  void aKeyEndsAtItsTime() {
    String secret = securityFixture.accounts.keys().add("ci", Role.VIEWER, 1).secret();
    FakeRequest request = FakeRequest.of("GET").key(secret);
    securityFixture.clock.advance(Duration.ofDays(1).minusSeconds(1));

    securityFixture.guard.admit(request, Permission.VIEWER);
    securityFixture.clock.advance(Duration.ofSeconds(1));

    assertThat(
            SecurityFixture.refusal(() -> securityFixture.guard.admit(request, Permission.VIEWER))
                .kind())
        .isEqualTo(Kind.UNAUTHORIZED);
  }

  @Test
  void aRemovedKeyEndsAtOnceHereAndSoonElsewhere() {
    ApiKeyStore.CreatedKey createdKey =
        securityFixture.accounts.keys().add("ci", Role.VIEWER, null);
    FakeRequest request = FakeRequest.of("GET").key(createdKey.secret());
    Guard other = securityFixture.otherNode();
    CallerIdentity callerIdentity = securityFixture.guard.admit(request, Permission.VIEWER);
    other.admit(request, Permission.VIEWER);

    securityFixture.send(
        "deleteKey", admin, null, Map.of("id", Long.toString(createdKey.key().id())));

    assertThat(
            SecurityFixture.refusal(() -> securityFixture.guard.admit(request, Permission.VIEWER))
                .kind())
        .isEqualTo(Kind.UNAUTHORIZED);
    assertThat(securityFixture.guard.isStillValid(callerIdentity)).isFalse();
    securityFixture.clock.advance(Duration.ofSeconds(3));
    assertThat(SecurityFixture.refusal(() -> other.admit(request, Permission.VIEWER)).kind())
        .isEqualTo(Kind.UNAUTHORIZED);
    assertThat(
            SecurityFixture.refusal(
                    () -> securityFixture.send("deleteKey", admin, null, Map.of("id", "999999")))
                .kind())
        .isEqualTo(Kind.NOT_FOUND);
    assertThat(
            SecurityFixture.refusal(
                    () -> securityFixture.send("deleteKey", admin, null, Map.of("id", "x1")))
                .kind())
        .isEqualTo(Kind.INVALID);
  }

  @Test
  void theUseOfAKeyIsNotedOnceAMinute() {
    ApiKeyStore.CreatedKey createdKey =
        securityFixture.accounts.keys().add("ci", Role.VIEWER, null);
    FakeRequest request = FakeRequest.of("GET").key(createdKey.secret());

    securityFixture.guard.admit(request, Permission.VIEWER);
    securityFixture.clock.advance(Duration.ofSeconds(59));
    securityFixture.guard.admit(request, Permission.VIEWER);
    assertThat(lastUsed(createdKey)).contains(SecurityFixture.START.toString());

    securityFixture.clock.advance(Duration.ofSeconds(5));
    securityFixture.guard.admit(request, Permission.VIEWER);
    assertThat(lastUsed(createdKey)).contains(SecurityFixture.START.plusSeconds(64).toString());
  }

  private Optional<String> lastUsed(ApiKeyStore.CreatedKey createdKey) {
    return securityFixture.accounts.keys().list().stream()
        .filter(k -> k.id() == createdKey.key().id())
        .map(k -> String.valueOf(k.lastUsed()))
        .findFirst();
  }

  @Test
  void aWrongKeyIsNotMadeGoodByACookie() {
    FakeRequest browser = securityFixture.loggedIn("anna", Role.ADMIN);

    for (String authorization :
        List.of(
            "Bearer mr_" + "A".repeat(43), "Bearer ", "Bearer x", "Basic YTpi", "mr_x", "bearer")) {
      FakeRequest request = browser.header("Authorization", authorization);
      assertThat(
              SecurityFixture.refusal(() -> securityFixture.guard.admit(request, Permission.VIEWER))
                  .kind())
          .as(authorization)
          .isEqualTo(Kind.UNAUTHORIZED);
    }
  }

  @Test
  void withoutDatabaseNobodyIsLetIn() {
    FakeRequest browser = securityFixture.loggedIn("anna", Role.ADMIN);
    GeneratedLogin login = securityFixture.accounts.replaceUser("otto", Role.ADMIN);
    CallerIdentity callerIdentity = securityFixture.guard.admit(admin, Permission.ADMIN);
    securityFixture.clock.advance(Duration.ofMinutes(5));
    securityFixture.execute("DROP TABLE millrace_user");
    securityFixture.execute("DROP TABLE millrace_session");
    securityFixture.execute("DROP TABLE millrace_api_key");

    for (FakeRequest request : List.of(browser, admin)) {
      RejectedRequestException rejectedRequestException =
          SecurityFixture.refusal(() -> securityFixture.guard.admit(request, Permission.VIEWER));
      assertThat(rejectedRequestException.kind()).isEqualTo(Kind.UNAVAILABLE);
      assertThat(rejectedRequestException.detail())
          .doesNotContainIgnoringCase("millrace_")
          .doesNotContain("SQL");
    }
    assertThat(
            securityFixture.refusal(
                "logIn", FakeRequest.of("POST"), SecurityFixture.login("otto", login.password())))
        .extracting(RejectedRequestException::kind)
        .isEqualTo(Kind.UNAVAILABLE);
    assertThat(securityFixture.guard.isStillValid(callerIdentity)).isFalse();
    assertThat(securityFixture.guard.admit(admin, Permission.PUBLIC))
        .isEqualTo(CallerIdentity.ANONYMOUS);
  }

  private FakeRequest keyOf(FakeRequest browser, String role) {
    SecurityResponse made =
        securityFixture.send(
            "createKey", browser, "{\"name\": \"ci\", \"role\": \"" + role + "\"}");
    AccountRoutes.NewKeyView key = (AccountRoutes.NewKeyView) made.body();
    assertThat(key.owner()).isEqualTo("anna");
    assertThat(key.expires())
        .isEqualTo(SecurityFixture.START.plus(Duration.ofDays(365)).toString());
    return FakeRequest.of("GET").key(key.key());
  }

  @Test
  void aKeyEndsWithItsOwner() {
    securityFixture.accounts.replaceUser("other", Role.ADMIN);
    FakeRequest key = keyOf(securityFixture.loggedIn("anna", Role.ADMIN), "admin");
    FakeRequest further = keyOf(key, "viewer");
    assertThat(securityFixture.guard.admit(key, Permission.ADMIN).actor()).isEqualTo("key:ci");

    securityFixture.send("deleteUser", admin, null, Map.of("name", "anna"));

    for (FakeRequest one : List.of(key, further)) {
      assertThat(
              SecurityFixture.refusal(() -> securityFixture.guard.admit(one, Permission.VIEWER))
                  .kind())
          .isEqualTo(Kind.UNAUTHORIZED);
    }
    securityFixture.accounts.replaceUser("anna", Role.ADMIN);
    assertThat(
            SecurityFixture.refusal(() -> securityFixture.guard.admit(key, Permission.VIEWER))
                .kind())
        .isEqualTo(Kind.UNAUTHORIZED);
  }

  @Test
  void aKeyMayNoMoreThanItsOwner() {
    securityFixture.accounts.replaceUser("other", Role.ADMIN);
    FakeRequest key = keyOf(securityFixture.loggedIn("anna", Role.ADMIN), "admin");

    changeRole("anna", "viewer");

    assertThat(
            SecurityFixture.refusal(() -> securityFixture.guard.admit(key, Permission.OPERATOR))
                .kind())
        .isEqualTo(Kind.FORBIDDEN);
    assertThat(securityFixture.guard.admit(key, Permission.VIEWER).role()).isEqualTo(Role.VIEWER);
  }
}
