package io.millrace.verification.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.instance.AuditQuery;
import io.millrace.instance.Deed;
import io.millrace.store.AlwaysOn;
import io.millrace.store.AlwaysOn.Desired;
import io.millrace.store.AlwaysOn.Request;
import io.millrace.store.AlwaysOnStore.Event;
import io.millrace.store.AlwaysOnStore.EventType;
import io.millrace.store.AlwaysOnStore.Failure;
import io.millrace.store.AlwaysOnStore.Owner;
import io.millrace.store.AuditStore.Audited;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What people want of continuous workflows, and how their owners learn of it. */
class AlwaysOnWishesContractTest extends AlwaysOnContract {

  AlwaysOnWishesContractTest(StoreUnderTest subject) {
    super(subject);
  }

  @Test
  void switchedOffTheOwnerIsTold() {
    AlwaysOn first = running("a");

    assertThat(alwaysOn.desire(name("a"), Desired.OFF, DEED)).isTrue();

    List<AlwaysOn> changed = alwaysOn.changed(executor);
    assertThat(changed).extracting(AlwaysOn::name).containsExactly(name("a"));
    assertThat(changed.getFirst().wish().desired()).isEqualTo(Desired.OFF);
    assertThat(alwaysOn.load(group)).isEmpty();
    assertThat(alwaysOn.remove(name("a"))).isFalse();
    alwaysOn.release(List.of(owner(first)), "OFF", null);
    assertThat(alwaysOn.changed(executor)).isEmpty();
    assertThat(found("a").health().downSince()).isNull();
    assertThat(alwaysOn.orphans(group, executor, 10)).isEmpty();
    assertThat(types("a"))
        .containsExactly(
            EventType.GIVEN_BACK, EventType.SWITCHED_OFF, EventType.STARTED, EventType.SWITCHED_ON);
    assertThat(events("a").get(1).detail()).isEqualTo("alice: because");
    assertThat(alwaysOn.remove(name("a"))).isTrue();
    assertThat(alwaysOn.find(name("a"))).isEmpty();
    assertThat(alwaysOn.events(name("a"), null, 10)).isEmpty();
    assertThat(alwaysOn.remove(name("a"))).isFalse();
  }

  @Test
  void switchedOnANewChainBegins() {
    AlwaysOn first = running("a");
    alwaysOn.desire(name("a"), Desired.OFF, DEED);
    alwaysOn.release(List.of(owner(first)), "OFF", null);
    pass(SECOND);

    assertThat(alwaysOn.desire(name("a"), Desired.ON, DEED)).isTrue();

    assertThat(found("a").health().downSince()).isEqualTo(now());
    assertThat(events("a").getFirst().standing()).isEqualTo(new Event.Standing(2, 0, 1));
    AlwaysOn second = claimed(executor, "a");
    assertThat(second.run())
        .isEqualTo(new AlwaysOn.Run(2, 1, now(), now(), "ManualStart", "MANUAL"));
    assertThat(second.ownership().epoch()).isEqualTo(2);
    AlwaysOn before = found("a");
    assertThat(alwaysOn.desire(name("a"), Desired.ON, DEED)).isTrue();
    assertThat(found("a")).isEqualTo(before);
    assertThat(audited("a")).containsExactly("switchOn", "switchOff");
  }

  private List<String> audited(String name) {
    return store.audit().list(AuditQuery.all()).items().stream()
        .map(Audited::entry)
        .filter(entry -> name(name).equals(entry.target()))
        .peek(entry -> assertThat(entry.actor()).isEqualTo("alice"))
        .map(entry -> entry.action())
        .toList();
  }

  @Test
  void switchedOffAndOnBeforeTheOwnerLookedANewChainBeginsAllTheSame() {
    AlwaysOn first = running("a");
    alwaysOn.desire(name("a"), Desired.OFF, DEED);
    alwaysOn.desire(name("a"), Desired.ON, DEED);

    AlwaysOn seen = alwaysOn.changed(executor).getFirst();
    assertThat(seen.wish().request()).isEqualTo(Request.RESTART);
    assertThat(seen.run()).isEqualTo(first.run());
    alwaysOn.release(List.of(owner(first)), "RESTART", null);
    AlwaysOn second = claimed(executor, "a");

    assertThat(second.run())
        .isEqualTo(new AlwaysOn.Run(2, 1, now(), now(), "ManualStart", "MANUAL"));
    assertThat(second.wish().request()).isNull();
  }

  @Test
  void aRestartThatAPersonAsksForIsStartedByHand() {
    AlwaysOn first = running("a");

    assertThat(alwaysOn.ask(name("a"), Request.RESTART, null, DEED)).isTrue();

    AlwaysOn seen = alwaysOn.changed(executor).getFirst();
    assertThat(seen.wish().request()).isEqualTo(Request.RESTART);
    alwaysOn.heed(owner(first), seen.wish().revision());
    assertThat(alwaysOn.changed(executor)).isEmpty();
    alwaysOn.release(List.of(owner(first)), "RESTART", null);
    AlwaysOn second = claimed(executor, "a");
    assertThat(second.run().mode()).isEqualTo("ManualStart");
    assertThat(second.run().reason()).isEqualTo("MANUAL");
    assertThat(second.run().chain()).isEqualTo(1);
    assertThat(second.run().generation()).isEqualTo(2);
    assertThat(audited("a")).containsExactly("restart");
  }

  @Test
  void aRestartEndsTheBackOff() {
    AlwaysOn first = running("a");
    alwaysOn.failed(owner(first), new Failure("broken", 5, HOUR, true));

    alwaysOn.ask(name("a"), Request.RESTART, null, DEED);

    assertThat(found("a").wish().request()).isNull();
    assertThat(found("a").health().crashLoop()).isFalse();
    assertThat(claimed(executor, "a").run().mode()).isEqualTo("ManualStart");
  }

  @Test
  void aMoveRemembersWhereTo() {
    AlwaysOn first = running("a");
    long heir = register();

    alwaysOn.ask(name("a"), Request.MOVE, heir, DEED);

    assertThat(alwaysOn.changed(executor).getFirst().ownership().preferred()).isEqualTo(heir);
    alwaysOn.release(List.of(owner(first)), "MOVE", null);
    assertThat(alwaysOn.orphans(group, executor, 10)).isEmpty();
    assertThat(alwaysOn.orphans(group, heir, 10)).containsExactly(name("a"));
  }

  @Test
  void aChangeThatCameAfterTheLookIsNotHeeded() {
    AlwaysOn first = running("a");
    alwaysOn.ask(name("a"), Request.CONTINUE, null, DEED);
    int seen = alwaysOn.changed(executor).getFirst().wish().revision();
    alwaysOn.ask(name("a"), Request.RESTART, null, DEED);

    alwaysOn.heed(owner(first), seen);
    alwaysOn.heed(new Owner(first.name(), executor, 99), seen + 1);

    assertThat(alwaysOn.changed(executor).getFirst().wish().request()).isEqualTo(Request.RESTART);
    alwaysOn.heed(owner(first), seen + 1);
    assertThat(alwaysOn.changed(executor)).isEmpty();
    assertThat(found("a").wish().request()).isNull();
  }

  @Test
  void onlyBeginAndEndOfDebuggingAreEvents() {
    running("a");
    assertThat(alwaysOn.debug(name("none"), MINUTE, DEED)).isFalse();
    assertThat(alwaysOn.debug(name("a"), Duration.ZERO, DEED)).isTrue();
    alwaysOn.debug(name("a"), MINUTE, DEED);
    pass(SECOND);
    alwaysOn.debug(name("a"), MINUTE, Deed.by("alice"));

    assertThat(found("a").health().debugUntil()).isEqualTo(now().plus(MINUTE));
    assertThat(found("a").health().debugBy()).isEqualTo("alice");

    alwaysOn.debug(name("a"), Duration.ZERO, DEED);
    assertThat(found("a").health().debugUntil()).isNull();
    assertThat(found("a").health().debugBy()).isNull();
    alwaysOn.debug(name("a"), MINUTE, DEED);
    pass(MINUTE);
    assertThat(found("a").health().debugUntil()).isNull();
    alwaysOn.debug(name("a"), MINUTE, DEED);
    assertThat(types("a"))
        .containsExactly(
            EventType.DEBUG_BEGUN,
            EventType.DEBUG_BEGUN,
            EventType.DEBUG_ENDED,
            EventType.DEBUG_BEGUN,
            EventType.STARTED,
            EventType.SWITCHED_ON);
    assertThat(audited("a")).containsExactly("debug", "debug", "debugEnd", "debug");
  }
}
