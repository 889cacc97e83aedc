package io.millrace.tests.continuous.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.fixtures.store.ContinuousStoreContract;
import io.millrace.fixtures.store.StoreFixture;
import io.millrace.instance.AuditQuery;
import io.millrace.instance.OperatorAction;
import io.millrace.instance.StoredAuditEntry;
import io.millrace.store.ContinuousStore.LogEntry;
import io.millrace.store.ContinuousStore.LogEntryType;
import io.millrace.store.ContinuousStore.Owner;
import io.millrace.store.ContinuousStore.TriggerFailure;
import io.millrace.store.StoredContinuousWorkflow;
import io.millrace.store.StoredContinuousWorkflow.OwnerRequest;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests of operators' requests to continuous workflows, and of how their owners learn of them. */
class ContinuousRequestsContractTest extends ContinuousStoreContract {

  ContinuousRequestsContractTest(StoreFixture subject) {
    super(subject);
  }

  @Test
  void disabledTheOwnerIsTold() {
    StoredContinuousWorkflow first = running("a");

    assertThat(continuous.setEnabled(name("a"), false, BY_ALICE)).isTrue();

    List<StoredContinuousWorkflow> changed = continuous.changed(executor);
    assertThat(changed).extracting(StoredContinuousWorkflow::name).containsExactly(name("a"));
    assertThat(changed.getFirst().requested().enabled()).isFalse();
    assertThat(continuous.ownedCounts(group)).isEmpty();
    assertThat(continuous.remove(name("a"))).isFalse();
    continuous.release(List.of(owner(first)), "OFF", null);
    assertThat(continuous.changed(executor)).isEmpty();
    assertThat(found("a").health().downSince()).isNull();
    assertThat(continuous.unowned(group, executor, 10)).isEmpty();
    assertThat(types("a"))
        .containsExactly(
            LogEntryType.RELEASED,
            LogEntryType.DISABLED,
            LogEntryType.STARTED,
            LogEntryType.ENABLED);
    assertThat(log("a").get(1).detail()).isEqualTo("alice: because");
    assertThat(continuous.remove(name("a"))).isTrue();
    assertThat(continuous.find(name("a"))).isEmpty();
    assertThat(continuous.log(name("a"), null, 10)).isEmpty();
    assertThat(continuous.remove(name("a"))).isFalse();
  }

  @Test
  void enabledANewSeriesBegins() {
    StoredContinuousWorkflow first = running("a");
    continuous.setEnabled(name("a"), false, BY_ALICE);
    continuous.release(List.of(owner(first)), "OFF", null);
    advance(SECOND);

    assertThat(continuous.setEnabled(name("a"), true, BY_ALICE)).isTrue();

    assertThat(found("a").health().downSince()).isEqualTo(now());
    assertThat(log("a").getFirst().run()).isEqualTo(new LogEntry.RunNumbers(2, 0, 1));
    StoredContinuousWorkflow second = claimed(executor, "a");
    assertThat(second.run())
        .isEqualTo(new StoredContinuousWorkflow.Run(2, 1, now(), now(), "ManualStart", "MANUAL"));
    assertThat(second.ownership().epoch()).isEqualTo(2);
    StoredContinuousWorkflow before = found("a");
    assertThat(continuous.setEnabled(name("a"), true, BY_ALICE)).isTrue();
    assertThat(found("a")).isEqualTo(before);
    assertThat(audited("a")).containsExactly("enable", "disable");
  }

  private List<String> audited(String name) {
    return store.audit().list(AuditQuery.all()).items().stream()
        .map(StoredAuditEntry::entry)
        .filter(entry -> name(name).equals(entry.target()))
        .peek(entry -> assertThat(entry.actor()).isEqualTo("alice"))
        .map(entry -> entry.action())
        .toList();
  }

  @Test
  void disabledAndEnabledBeforeTheOwnerLookedANewSeriesBeginsAllTheSame() {
    StoredContinuousWorkflow first = running("a");
    continuous.setEnabled(name("a"), false, BY_ALICE);
    continuous.setEnabled(name("a"), true, BY_ALICE);

    StoredContinuousWorkflow seen = continuous.changed(executor).getFirst();
    assertThat(seen.requested().request()).isEqualTo(OwnerRequest.RESTART);
    assertThat(seen.run()).isEqualTo(first.run());
    continuous.release(List.of(owner(first)), "RESTART", null);
    StoredContinuousWorkflow second = claimed(executor, "a");

    assertThat(second.run())
        .isEqualTo(new StoredContinuousWorkflow.Run(2, 1, now(), now(), "ManualStart", "MANUAL"));
    assertThat(second.requested().request()).isNull();
  }

  @Test
  void aRestartThatAPersonAsksForIsStartedByHand() {
    StoredContinuousWorkflow first = running("a");

    assertThat(continuous.request(name("a"), OwnerRequest.RESTART, null, BY_ALICE)).isTrue();

    StoredContinuousWorkflow seen = continuous.changed(executor).getFirst();
    assertThat(seen.requested().request()).isEqualTo(OwnerRequest.RESTART);
    continuous.acknowledge(owner(first), seen.requested().revision());
    assertThat(continuous.changed(executor)).isEmpty();
    continuous.release(List.of(owner(first)), "RESTART", null);
    StoredContinuousWorkflow second = claimed(executor, "a");
    assertThat(second.run().mode()).isEqualTo("ManualStart");
    assertThat(second.run().reason()).isEqualTo("MANUAL");
    assertThat(second.run().series()).isEqualTo(1);
    assertThat(second.run().generation()).isEqualTo(2);
    assertThat(audited("a")).containsExactly("restart");
  }

  @Test
  void aRestartEndsTheBackOff() {
    StoredContinuousWorkflow first = running("a");
    continuous.recordFailure(owner(first), new TriggerFailure("broken", 5, HOUR, true));

    continuous.request(name("a"), OwnerRequest.RESTART, null, BY_ALICE);

    assertThat(found("a").requested().request()).isNull();
    assertThat(found("a").health().crashLoop()).isFalse();
    assertThat(claimed(executor, "a").run().mode()).isEqualTo("ManualStart");
  }

  @Test
  void aMoveRemembersWhereTo() {
    StoredContinuousWorkflow first = running("a");
    long heir = register();

    continuous.request(name("a"), OwnerRequest.MOVE, heir, BY_ALICE);

    assertThat(continuous.changed(executor).getFirst().ownership().preferred()).isEqualTo(heir);
    continuous.release(List.of(owner(first)), "MOVE", null);
    assertThat(continuous.unowned(group, executor, 10)).isEmpty();
    assertThat(continuous.unowned(group, heir, 10)).containsExactly(name("a"));
  }

  @Test
  void aChangeThatCameAfterTheLookIsNotHeeded() {
    StoredContinuousWorkflow first = running("a");
    continuous.request(name("a"), OwnerRequest.CONTINUE, null, BY_ALICE);
    int seen = continuous.changed(executor).getFirst().requested().revision();
    continuous.request(name("a"), OwnerRequest.RESTART, null, BY_ALICE);

    continuous.acknowledge(owner(first), seen);
    continuous.acknowledge(new Owner(first.name(), executor, 99), seen + 1);

    assertThat(continuous.changed(executor).getFirst().requested().request())
        .isEqualTo(OwnerRequest.RESTART);
    continuous.acknowledge(owner(first), seen + 1);
    assertThat(continuous.changed(executor)).isEmpty();
    assertThat(found("a").requested().request()).isNull();
  }

  @Test
  void onlyBeginAndEndOfDebuggingAreEvents() {
    running("a");
    assertThat(continuous.debug(name("none"), MINUTE, BY_ALICE)).isFalse();
    assertThat(continuous.debug(name("a"), Duration.ZERO, BY_ALICE)).isTrue();
    continuous.debug(name("a"), MINUTE, BY_ALICE);
    advance(SECOND);
    continuous.debug(name("a"), MINUTE, OperatorAction.by("alice"));

    assertThat(found("a").health().debugUntil()).isEqualTo(now().plus(MINUTE));
    assertThat(found("a").health().debugBy()).isEqualTo("alice");

    continuous.debug(name("a"), Duration.ZERO, BY_ALICE);
    assertThat(found("a").health().debugUntil()).isNull();
    assertThat(found("a").health().debugBy()).isNull();
    continuous.debug(name("a"), MINUTE, BY_ALICE);
    advance(MINUTE);
    assertThat(found("a").health().debugUntil()).isNull();
    continuous.debug(name("a"), MINUTE, BY_ALICE);
    assertThat(types("a"))
        .containsExactly(
            LogEntryType.DEBUG_STARTED,
            LogEntryType.DEBUG_STARTED,
            LogEntryType.DEBUG_ENDED,
            LogEntryType.DEBUG_STARTED,
            LogEntryType.STARTED,
            LogEntryType.ENABLED);
    assertThat(audited("a")).containsExactly("debug", "debug", "debugEnd", "debug");
  }
}
