package io.millrace.server.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.server.security.Refusal.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class KeyFailuresTest {

  private static final String FIRST = "anonymous keyRefused unknown key from 192.0.2.1";

  private Kit kit;
  private FakeRequest good;

  @BeforeEach
  void open() {
    kit = new Kit(Database.H2);
    good = FakeRequest.of("GET").key(kit.key(Role.VIEWER));
  }

  @AfterEach
  void close() {
    kit.close();
  }

  private Refusal sendBadKey(String address) {
    FakeRequest request = FakeRequest.of("GET").from(address).key("mr_" + Tokens.random());
    return Kit.refusal(() -> kit.guard.admit(request, Permission.VIEWER));
  }

  @Test
  void threeHundredBadKeysAreLimitedAndSummarizedInTheAudit() {
    List<Refusal> refusals = Stream.generate(() -> sendBadKey("192.0.2.1")).limit(300).toList();

    assertThat(refusals.subList(0, 30)).allMatch(one -> one.kind() == Kind.UNAUTHORIZED);
    assertThat(refusals.subList(30, 300))
        .allMatch(one -> one.kind() == Kind.TOO_MANY && one.headers().containsKey("Retry-After"));
    assertThat(kit.audit).containsExactly(FIRST);

    kit.clock.advance(Duration.ofMinutes(10));
    kit.guard.admit(good, Permission.VIEWER);
    assertThat(kit.audit)
        .containsExactly(
            FIRST,
            "anonymous keyRefused unknown key 299 more from 192.0.2.1 since 2026-03-01T12:00:00Z");
    kit.clock.advance(Duration.ofMinutes(10));
    kit.guard.admit(good, Permission.VIEWER);
    assertThat(kit.audit).hasSize(2);
  }

  @Test
  void goodKeysOfThatNetworkAndBadOnesOfOthersAreNotLimited() {
    FakeRequest neverUsed = FakeRequest.of("GET").key(kit.key(Role.ADMIN));
    for (int i = 0; i < 300; i++) {
      sendBadKey("192.0.2.1");
    }

    assertThat(kit.guard.admit(good, Permission.VIEWER).role()).isEqualTo(Role.VIEWER);
    assertThat(kit.guard.admit(neverUsed, Permission.ADMIN).role()).isEqualTo(Role.ADMIN);
    assertThat(sendBadKey("192.0.2.2").kind()).isEqualTo(Kind.UNAUTHORIZED);
    kit.clock.advance(Duration.ofMinutes(1));
    assertThat(sendBadKey("192.0.2.1").kind()).isEqualTo(Kind.UNAUTHORIZED);
  }

  @Test
  void whatHasNotTheFormOfAKeyCountsAndRequestsWithoutOneDoNot() {
    FakeRequest malformed = FakeRequest.of("GET").header("Authorization", "Bearer x");
    FakeRequest expired = FakeRequest.of("GET").cookie(Credentials.COOKIE, Tokens.random());
    for (int i = 0; i < 50; i++) {
      assertThat(Kit.refusal(() -> kit.guard.admit(expired, Permission.VIEWER)).kind())
          .isEqualTo(Kind.UNAUTHORIZED);
    }
    assertThat(kit.audit).isEmpty();

    for (int i = 0; i < 31; i++) {
      Kit.refusal(() -> kit.guard.admit(malformed, Permission.VIEWER));
    }
    assertThat(kit.audit).containsExactly(FIRST);
    assertThat(kit.refusal("whoAmI", malformed, null).kind()).isEqualTo(Kind.TOO_MANY);
  }

  @Test
  void manyNetworksDoNotFillTheAudit() {
    for (int i = 0; i < 3000; i++) {
      sendBadKey("10.1." + i / 250 + "." + i % 250);
    }
    assertThat(kit.audit).hasSize(60);

    kit.clock.advance(Duration.ofMinutes(10));
    kit.guard.admit(good, Permission.VIEWER);
    assertThat(kit.audit).hasSizeLessThanOrEqualTo(121);
    assertThat(kit.audit.getLast())
        .isEqualTo(
            "anonymous keyRefused unknown key 2880 from other networks since 2026-03-01T12:00:00Z");
  }

  @Test
  void aWrongOldPasswordIsInTheAudit() {
    NewLogin anna = kit.accounts.renew("anna", Role.VIEWER);
    FakeRequest browser = kit.logIn(anna);
    List<String> before = new ArrayList<>(kit.audit);

    Map<String, String> body = Map.of("old", "guessed", "new", "a much better one");
    kit.refusal("changePassword", browser, Kit.JSON.writeValueAsString(body));

    before.add("anna passwordRefused null old password is wrong, from 192.0.2.1");
    assertThat(kit.audit).isEqualTo(before);
  }
}
