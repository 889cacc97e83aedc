package io.millrace.tests.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.fixtures.store.StoreContract;
import io.millrace.fixtures.store.StoreFixture;
import io.millrace.instance.AuditEntry;
import io.millrace.instance.AuditQuery;
import io.millrace.instance.Due;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.InvalidRequestException;
import io.millrace.instance.Page;
import io.millrace.instance.StoredAuditEntry;
import io.millrace.instance.WorkflowInstance;
import io.millrace.store.AuditStore;
import io.millrace.store.OperatorCommand;
import io.millrace.store.OperatorStore.CommandResult;
import io.millrace.store.OperatorStore.SignalRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests that every operator action leaves an audit entry, and that a rejected one leaves none. */
class AuditContractTest extends StoreContract {

  AuditContractTest(StoreFixture subject) {
    super(subject);
  }

  private AuditStore audit() {
    return store.audit();
  }

  private List<StoredAuditEntry> list(AuditQuery query) {
    return audit().list(query).items();
  }

  private List<StoredAuditEntry> of(WorkflowInstance instance) {
    return list(AuditQuery.all().instance(instance.id()));
  }

  private StoredAuditEntry only(WorkflowInstance instance) {
    assertThat(of(instance)).hasSize(1);
    return of(instance).getFirst();
  }

  private AuditEntry by(String actor, String action) {
    return new AuditEntry(actor + type, action, null, null, null, null);
  }

  @Test
  void anAppliedAction() {
    WorkflowInstance cancelled =
        applyAccepted(read(start(instance())), new OperatorCommand.Cancel());

    StoredAuditEntry one = only(cancelled);
    assertThat(one.at()).isEqualTo(now());
    assertThat(one.seq()).isEqualTo(1);
    assertThat(one.entry())
        .isEqualTo(new AuditEntry("alice", "cancel", cancelled.id(), type, "because", null));
  }

  @Test
  void aQueuedAction() {
    WorkflowInstance held = startAndClaim();
    assertThat(apply(held, new OperatorCommand.Pause()))
        .isInstanceOf(CommandResult.AfterAttempt.class);

    assertThat(only(held).seq()).isNull();
    assertThat(only(held).entry().action()).isEqualTo("pause");
    assertThat(only(held).entry().detail()).isEqualTo("{\"afterAttempt\":true}");
  }

  @Test
  void whereAnInstanceWasMovedAndWhichVariablesWereEdited() {
    WorkflowInstance moved =
        applyAccepted(
            read(start(instance())),
            new OperatorCommand.Move("other", InstanceStatus.IN_PROGRESS, Due.NOW, null, null));
    assertThat(only(moved).entry().detail())
        .isEqualTo("{\"from\":\"" + instance().build().startState() + "\",\"to\":\"other\"}");

    Map<String, String> edits = new HashMap<>(Map.of("b", "\"secret\""));
    edits.put("a", null);
    WorkflowInstance edited =
        applyAccepted(read(start(instance())), new OperatorCommand.EditVariables(edits));
    assertThat(only(edited).entry().detail()).isEqualTo("{\"variables\":[\"a\",\"b\"]}");
  }

  @Test
  void aRefusedActionLeavesNone() {
    WorkflowInstance held = startAndClaim();
    assertThat(apply(held, new OperatorCommand.Retry())).isInstanceOf(CommandResult.Refused.class);

    assertThat(of(held)).isEmpty();
  }

  @Test
  void aSignalThatNamesItsActorOnce() {
    WorkflowInstance waiting = waitingFor(PAID);
    SignalRequest request = new SignalRequest(waiting.id(), "paid", "\"secret\"", "bob", "key");
    store.operators().signal(request);
    store.operators().signal(request);
    signal(waiting, "other");

    assertThat(only(waiting).entry())
        .isEqualTo(
            new AuditEntry("bob", "signal", waiting.id(), type, null, "{\"signal\":\"paid\"}"));
    saveAccepted(transitionOf(claimOne()).end(InstanceStatus.FINISHED));
    store.operators().signal(new SignalRequest(waiting.id(), "late", null, "bob", null));
    assertThat(of(waiting)).hasSize(1);
  }

  @Test
  void whatTheServerAdds() {
    AuditEntry entry =
        new AuditEntry("carol" + type, "login", null, "from 10.0.0.1", "with a key", "{\"k\":1}");
    audit().append(entry);

    assertThat(list(AuditQuery.all().actor("carol" + type)))
        .singleElement()
        .satisfies(one -> assertThat(one.entry()).isEqualTo(entry))
        .satisfies(one -> assertThat(one.at()).isEqualTo(now()))
        .satisfies(one -> assertThat(one.seq()).isNull());
  }

  @Test
  void filtersAndPages() {
    Instant begin = now();
    for (int i = 0; i < 7; i++) {
      audit().append(by("dora", i % 2 == 0 ? "login" : "logout"));
      advance(SECOND);
    }
    AuditQuery dora = AuditQuery.all().actor("dora" + type);
    List<StoredAuditEntry> all = list(dora);

    assertThat(all).hasSize(7).isSortedAccordingTo((a, b) -> Long.compare(b.id(), a.id()));
    assertThat(list(dora.action("logout"))).hasSize(3);
    assertThat(list(dora.action("other"))).isEmpty();
    assertThat(list(dora.instance(1L))).isEmpty();
    assertThat(list(dora.between(begin.plusSeconds(2), begin.plusSeconds(4))))
        .containsExactlyElementsOf(all.subList(3, 5));
    assertThat(list(dora.between(Instant.MIN, Instant.MAX))).hasSize(7);
    List<StoredAuditEntry> paged = new ArrayList<>();
    Page<StoredAuditEntry> page = new Page<>(List.of(), null);
    do {
      page = audit().list(dora.limit(2).after(page.next()));
      paged.addAll(page.items());
    } while (page.next() != null);
    assertThat(paged).isEqualTo(all);
    assertThatThrownBy(() -> list(dora.after("x"))).isInstanceOf(InvalidRequestException.class);
  }

  @Test
  void theOldestGoByAge() {
    advance(Duration.ofDays(100));
    Duration age = Duration.ofDays(30);
    while (store.retention().deleteAudit(age, 100) > 0) {}
    for (int i = 0; i < 5; i++) {
      audit().append(by("emil", "login"));
    }
    advance(age);
    audit().append(by("emil", "login"));
    assertThat(store.retention().deleteAudit(age, 10)).isZero();

    advance(SECOND);
    assertThat(store.retention().deleteAudit(age, 3)).isEqualTo(3);
    assertThat(store.retention().deleteAudit(age, 3)).isEqualTo(2);
    assertThat(store.retention().deleteAudit(age, 3)).isZero();
    assertThat(list(AuditQuery.all().actor("emil" + type))).hasSize(1);
  }

  @Test
  void longTextsAreCut() {
    audit()
        .append(
            new AuditEntry(
                "fred" + type, "a".repeat(51), null, "t".repeat(301), "r\0".repeat(501), null));

    if (subject.dataSource() != null) {
      AuditEntry entry = list(AuditQuery.all().actor("fred" + type)).getFirst().entry();
      assertThat(entry.action()).hasSize(50);
      assertThat(entry.target()).hasSize(300);
      assertThat(entry.reason()).hasSize(1000);
    }
  }
}
