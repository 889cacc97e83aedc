package io.millrace.verification.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.instance.ActionType;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.Progress;
import io.millrace.instance.Signal;
import io.millrace.instance.WorkflowInstance;
import io.millrace.store.DeedCommand;
import io.millrace.store.Fence;
import io.millrace.store.Save;
import io.millrace.store.SaveResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who may write, and what a repeated write is told. */
class FenceContractTest extends StoreContract {

  private static final SaveResult FENCED = new SaveResult.Fenced();

  FenceContractTest(StoreUnderTest subject) {
    super(subject);
  }

  /** Tries a save that must be refused and must leave everything as it was. */
  private void assertFenced(Save save) {
    long id = save.fence().instanceId();
    WorkflowInstance before = read(id);
    var historyBefore = history(before);
    var variablesBefore = store.queries().variables(id);
    var signalsBefore = store.queries().signals(id, 100);

    assertThat(save(save)).isEqualTo(FENCED);

    assertThat(read(id)).isEqualTo(before);
    assertThat(history(before)).isEqualTo(historyBefore);
    assertThat(store.queries().variables(id)).isEqualTo(variablesBefore);
    assertThat(store.queries().signals(id, 100)).isEqualTo(signalsBefore);
  }

  private Fence other(Fence fence, long executorId, int leaseVersion, int seq) {
    return new Fence(fence.instanceId(), executorId, leaseVersion, seq);
  }

  @Test
  void everyPartOfTheFenceCounts() {
    WorkflowInstance held = saved(move(held()).keepLease());
    Fence fence = fence(held);

    assertFenced(move(held).fence(other(fence, register(), 1, 1)).build());
    assertFenced(move(held).fence(other(fence, executor, 2, 1)).build());
    assertFenced(move(held).fence(other(fence, executor, 1, 2)).build());
    assertThat(save(move(held))).isEqualTo(released(0));
  }

  @Test
  void anUnknownInstanceIsFenced() {
    Save save = move(held()).fence(new Fence(Long.MAX_VALUE, executor, 1, 0)).build();

    assertThat(save(save)).isEqualTo(FENCED);
  }

  @Test
  void aFencedSaveWritesNothingOfAllItCarries() {
    WorkflowInstance held = held(instance().variable("v", "1"));
    signal(held, "a");
    List<Signal> inbox = inbox(held);
    assertThat(store.work().release(List.of(fence(held)))).isEqualTo(1);

    assertFenced(
        move(held)
            .set("v", "2")
            .child(instance().externalId("child"))
            .consume(inbox)
            .progress(new Progress(1, 1, "x"))
            .end(InstanceStatus.FINISHED)
            .build());
    assertThat(store.queries().findByExternalId(type, group, "child")).isEmpty();
  }

  @Test
  void aZombieIsFencedAfterAnotherTookOver() {
    WorkflowInstance zombie = held();
    expire();
    long other = register();
    store.executors().recover(executor, other, 10, 5);
    assertFenced(move(zombie).build());

    claimOne(other);
    assertFenced(move(zombie).build());
  }

  @Test
  void aZombieOfTheSameExecutorIsFencedAfterItClaimedAgain() {
    WorkflowInstance zombie = held();
    assertThat(store.work().release(List.of(fence(zombie)))).isEqualTo(1);
    WorkflowInstance again = claimOne();
    assertThat(again.lease().executorId()).isEqualTo(zombie.lease().executorId());
    assertThat(again.seq()).isEqualTo(zombie.seq());

    assertFenced(move(zombie).build());
    assertThat(save(move(again))).isEqualTo(released(0));
  }

  @Test
  void aZombieIsFencedThoughTheNextLeaseHasWrittenTheSameStep() {
    WorkflowInstance zombie = held();
    store.work().release(List.of(fence(zombie)));
    saved(move(claimOne()).to("elsewhere"));

    assertFenced(move(zombie).build());
    assertThat(read(zombie).state()).isEqualTo("elsewhere");
  }

  @Test
  void aZombieIsFencedByACancel() {
    WorkflowInstance zombie = held();
    done(zombie, new DeedCommand.Cancel());

    assertFenced(move(zombie).build());
  }

  @Test
  void aRepeatedWriteAfterALostReplyIsToldThatItWasSaved() {
    Save save = move(held()).build();
    assertThat(save(save)).isEqualTo(released(0));

    assertThat(save(save)).isEqualTo(released(0));
    assertThat(store.queries().history(save.fence().instanceId(), 0, 10)).hasSize(1);
  }

  @Test
  void anotherWriteUnderTheSameFenceIsNotTakenForTheFirst() {
    WorkflowInstance held = held();
    saved(move(held).keepLease());

    assertFenced(move(held).to("elsewhere").keepLease().build());
    assertFenced(move(held).by(ActionType.STATE_EXECUTION_FAILED, null).keepLease().build());
    assertThat(read(held).state()).isEqualTo("next");
  }

  @Test
  void aRepeatedWriteThatKeptItsLeaseIsToldSo() {
    WorkflowInstance held = held();
    Save save = move(held).keepLease().set("v", "1").variableCount(1).build();
    save(save);
    signal(held, "a");

    assertThat(save(save)).isEqualTo(kept(1));
    assertThat(history(held)).hasSize(1);
    assertThat(save(move(read(held)))).isEqualTo(released(1));
  }

  @Test
  void aRepeatedWriteStartsNoSecondChild() {
    WorkflowInstance held = held();
    Save save = move(held).child(instance()).keepLease().build();
    save(save);
    save(save);

    assertThat(read(held).children().total()).isEqualTo(1);
    assertThat(claim(10)).hasSize(1);
  }

  @Test
  void aRepeatedWriteAfterARecoveryIsSavedButNotHeld() {
    Save save = move(held()).keepLease().build();
    save(save);
    expire();
    store.executors().recover(executor, register(), 10, 5);

    assertThat(save(save)).isEqualTo(released(0));
  }

  @Test
  void aRepeatedWriteAfterARecoveryAndAnotherClaimIsSavedButNotHeld() {
    Save save = move(held()).keepLease().build();
    save(save);
    expire();
    long other = register();
    store.executors().recover(executor, other, 10, 5);
    claimOne(other);

    assertThat(save(save)).isEqualTo(released(0));
  }

  @Test
  void aRepeatedWriteAfterAnotherClaimOfItsOwnIsSavedButNotHeld() {
    Save save = move(held()).build();
    save(save);
    claimOne();

    assertThat(save(save)).isEqualTo(released(0));
  }

  @Test
  void aRepeatedWriteAfterALaterStepIsSavedButItsFenceIsPast() {
    WorkflowInstance held = held();
    Save first = move(held).keepLease().build();
    save(first);
    saved(move(read(held)).keepLease());

    assertThat(save(first)).isEqualTo(released(0));
  }

  @Test
  void aRepeatedLastWriteIsToldThatItWasSaved() {
    Save save = move(held()).end(InstanceStatus.FINISHED).build();
    save(save);

    assertThat(save(save)).isEqualTo(released(0));
  }

  @Test
  void anOperatorsActionAtTheNextSeqIsNotTheWritersOwn() {
    WorkflowInstance held = held();
    store.work().release(List.of(fence(held)));
    done(held, new DeedCommand.Pause());

    assertThat(read(held).seq()).isEqualTo(held.seq() + 1);
    assertFenced(move(held).build());
  }

  @Test
  void anExecutorThatRecoveredItselfDoesNotTakeTheRecoveryForItsWrite() {
    WorkflowInstance held = held();
    expire();
    assertThat(store.executors().recover(executor, executor, 10, 5)).hasSize(1);

    assertFenced(move(held).build());
  }

  @Test
  void oneFencedSaveDoesNotStopItsNeighbours() {
    List<WorkflowInstance> held = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      held.add(held());
    }
    WorkflowInstance lost = held.get(17);
    done(lost, new DeedCommand.Cancel());
    List<Save> saves =
        held.stream()
            .map(h -> move(h).set("v", "1").variableCount(1).child(instance().due(NEVER)).build())
            .toList();

    List<SaveResult> results = store.work().save(saves);

    for (int i = 0; i < 40; i++) {
      assertThat(results.get(i)).isEqualTo(i == 17 ? FENCED : released(0));
      assertThat(read(held.get(i)).state()).isEqualTo(i == 17 ? "begin" : "next");
      assertThat(store.queries().variables(held.get(i).id())).hasSize(i == 17 ? 0 : 1);
      assertThat(read(held.get(i)).children().total()).isEqualTo(i == 17 ? 0 : 1);
    }
  }

  @Test
  void aRepeatedSaveInABatchDoesNotStopItsNeighbours() {
    WorkflowInstance repeated = held();
    Save first = move(repeated).keepLease().build();
    save(first);
    WorkflowInstance other = held();

    assertThat(store.work().save(List.of(move(other).build(), first)))
        .containsExactly(released(0), kept(0));
    assertThat(history(repeated)).hasSize(1);
    assertThat(read(other).seq()).isEqualTo(1);
  }

  @Test
  void leaseVersionsNeverFall() {
    WorkflowInstance held = held();
    int version = held.lease().leaseVersion();
    for (int i = 0; i < 5; i++) {
      saved(move(held).retry(Duration.ZERO));
      held = claimOne();
      assertThat(held.lease().leaseVersion()).isGreaterThan(version);
      version = held.lease().leaseVersion();
      store.work().release(List.of(fence(held)));
      assertThat(read(held).lease().leaseVersion()).isEqualTo(version);
      held = claimOne();
    }
  }
}
