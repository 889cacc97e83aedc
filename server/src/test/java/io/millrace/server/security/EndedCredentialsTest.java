package io.millrace.server.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests that long responses notice the end of the caller's credentials. */
class EndedCredentialsTest {

  private SecurityFixture securityFixture;
  private FakeRequest admin;

  @BeforeEach
  void open() {
    securityFixture = new SecurityFixture(AccountDatabase.H2);
    admin = FakeRequest.of("GET").key(securityFixture.key(Role.ADMIN));
  }

  @AfterEach
  void close() {
    securityFixture.close();
  }

  @Test
  void listenersAreNotifiedOfTheEndOfCredentials() {
    AtomicInteger ended = new AtomicInteger();
    securityFixture.guard.onCredentialsEnded(ended::incrementAndGet);
    ApiKeyStore.CreatedKey createdKey =
        securityFixture.accounts.keys().add("ci", Role.VIEWER, null);
    FakeRequest request = FakeRequest.of("GET").key(createdKey.secret());
    Guard other = securityFixture.otherNode();
    CallerIdentity elsewhere = other.admit(request, Permission.VIEWER);

    securityFixture.send(
        "deleteKey", admin, null, Map.of("id", Long.toString(createdKey.key().id())));

    assertThat(ended).hasValue(1);
    assertThat(other.isStillValid(elsewhere)).as("remembered").isTrue();
    other.forgetCredentials();
    assertThat(other.isStillValid(elsewhere)).isFalse();
  }

  @Test
  void aKeyWhoseOwnerMayLessNowIsNotTheSameAnyMore() {
    securityFixture.accounts.replaceUser("anna", Role.OPERATOR);
    String key = securityFixture.accounts.renewKey("ci", Role.OPERATOR, 1, "anna");
    FakeRequest request = FakeRequest.of("GET").key(key);
    CallerIdentity before = securityFixture.guard.admit(request, Permission.OPERATOR);
    assertThat(securityFixture.guard.isStillValid(before)).isTrue();

    securityFixture.send("changeRole", admin, "{\"role\":\"viewer\"}", Map.of("name", "anna"));

    assertThat(securityFixture.guard.isStillValid(before)).isFalse();
    CallerIdentity after = securityFixture.guard.admit(request, Permission.VIEWER);
    assertThat(securityFixture.guard.isStillValid(after)).isTrue();
    assertThat(securityFixture.guard.isStillValid(before)).as("another is remembered").isFalse();
  }
}
