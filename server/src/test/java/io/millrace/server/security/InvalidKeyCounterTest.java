package io.millrace.server.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.server.security.RejectedRequestException.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class InvalidKeyCounterTest {

  private static final String FIRST = "anonymous keyRefused unknown key from 192.0.2.1";

  private SecurityFixture securityFixture;
  private FakeRequest good;

  @BeforeEach
  void open() {
    securityFixture = new SecurityFixture(AccountDatabase.H2);
    good = FakeRequest.of("GET").key(securityFixture.key(Role.VIEWER));
  }

  @AfterEach
  void close() {
    securityFixture.close();
  }

  private RejectedRequestException sendBadKey(String address) {
    FakeRequest request = FakeRequest.of("GET").from(address).key("mr_" + SecureTokens.random());
    return SecurityFixture.refusal(() -> securityFixture.guard.admit(request, Permission.VIEWER));
  }

  @Test
  void threeHundredBadKeysAreLimitedAndSummarizedInTheAudit() {
    List<RejectedRequestException> refusals =
        Stream.generate(() -> sendBadKey("192.0.2.1")).limit(300).toList();

    assertThat(refusals.subList(0, 30)).allMatch(one -> one.kind() == Kind.UNAUTHORIZED);
    assertThat(refusals.subList(30, 300))
        .allMatch(one -> one.kind() == Kind.TOO_MANY && one.headers().containsKey("Retry-After"));
    assertThat(securityFixture.audit).containsExactly(FIRST);

    securityFixture.clock.advance(Duration.ofMinutes(10));
    securityFixture.guard.admit(good, Permission.VIEWER);
    assertThat(securityFixture.audit)
        .containsExactly(
            FIRST,
            "anonymous keyRefused unknown key 299 more from 192.0.2.1 since 2026-03-01T12:00:00Z");
    securityFixture.clock.advance(Duration.ofMinutes(10));
    securityFixture.guard.admit(good, Permission.VIEWER);
    assertThat(securityFixture.audit).hasSize(2);
  }

  @Test
  void goodKeysOfThatNetworkAndBadOnesOfOthersAreNotLimited() {
    FakeRequest neverUsed = FakeRequest.of("GET").key(securityFixture.key(Role.ADMIN));
    for (int i = 0; i < 300; i++) {
      sendBadKey("192.0.2.1");
    }

    assertThat(securityFixture.guard.admit(good, Permission.VIEWER).role()).isEqualTo(Role.VIEWER);
    assertThat(securityFixture.guard.admit(neverUsed, Permission.ADMIN).role())
        .isEqualTo(Role.ADMIN);
    assertThat(sendBadKey("192.0.2.2").kind()).isEqualTo(Kind.UNAUTHORIZED);
    securityFixture.clock.advance(Duration.ofMinutes(1));
    assertThat(sendBadKey("192.0.2.1").kind()).isEqualTo(Kind.UNAUTHORIZED);
  }

  @Test
  void whatHasNotTheFormOfAKeyCountsAndRequestsWithoutOneDoNot() {
    FakeRequest malformed = FakeRequest.of("GET").header("Authorization", "Bearer x");
    FakeRequest expired =
        FakeRequest.of("GET").cookie(CallerAuthenticator.COOKIE, SecureTokens.random());
    for (int i = 0; i < 50; i++) {
      assertThat(
              SecurityFixture.refusal(() -> securityFixture.guard.admit(expired, Permission.VIEWER))
                  .kind())
          .isEqualTo(Kind.UNAUTHORIZED);
    }
    assertThat(securityFixture.audit).isEmpty();

    for (int i = 0; i < 31; i++) {
      SecurityFixture.refusal(() -> securityFixture.guard.admit(malformed, Permission.VIEWER));
    }
    assertThat(securityFixture.audit).containsExactly(FIRST);
    assertThat(securityFixture.refusal("whoAmI", malformed, null).kind()).isEqualTo(Kind.TOO_MANY);
  }

  @Test
  void manyNetworksDoNotFillTheAudit() {
    for (int i = 0; i < 3000; i++) {
      sendBadKey("10.1." + i / 250 + "." + i % 250);
    }
    assertThat(securityFixture.audit).hasSize(60);

    securityFixture.clock.advance(Duration.ofMinutes(10));
    securityFixture.guard.admit(good, Permission.VIEWER);
    assertThat(securityFixture.audit).hasSizeLessThanOrEqualTo(121);
    assertThat(securityFixture.audit.getLast())
        .isEqualTo(
            "anonymous keyRefused unknown key 2880 from other networks since 2026-03-01T12:00:00Z");
  }

  @Test
  void aWrongOldPasswordIsInTheAudit() {
    GeneratedLogin anna = securityFixture.accounts.replaceUser("anna", Role.VIEWER);
    FakeRequest browser = securityFixture.logIn(anna);
    List<String> before = new ArrayList<>(securityFixture.audit);

    Map<String, String> body = Map.of("old", "guessed", "new", "a much better one");
    securityFixture.refusal(
        "changePassword", browser, SecurityFixture.JSON.writeValueAsString(body));

    before.add("anna passwordRefused null old password is wrong, from 192.0.2.1");
    assertThat(securityFixture.audit).isEqualTo(before);
  }
}
