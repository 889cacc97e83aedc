package io.millrace.tests.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.fixtures.store.SaveSpec;
import io.millrace.fixtures.store.StoreContract;
import io.millrace.fixtures.store.StoreFixture;
import io.millrace.instance.Due;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.Lease;
import io.millrace.instance.WorkflowInstance;
import io.millrace.store.ChannelClaimRequest;
import io.millrace.store.ChannelClaimRequest.Candidate;
import io.millrace.store.ChannelClaimResult;
import io.millrace.store.OperatorCommand;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ChannelClaimContractTest extends StoreContract {

  private static final ChannelClaimResult PASSED = new ChannelClaimResult.Superseded();

  ChannelClaimContractTest(StoreFixture subject) {
    super(subject);
  }

  private List<ChannelClaimResult> claimNamed(Candidate... named) {
    return claimNamed(executor, List.of(definition), named);
  }

  private List<ChannelClaimResult> claimNamed(
      long executorId, List<Integer> definitions, Candidate... named) {
    return store
        .instances()
        .claimForChannel(new ChannelClaimRequest(executorId, group, definitions, List.of(named)));
  }

  private ChannelClaimResult takeOne(long id, int seq) {
    return claimNamed(new Candidate(id, seq)).getFirst();
  }

  @Test
  void anInstanceIsTakenBeforeItsTime() {
    long id = start(instance().due(SOON).input("7").variable("a", "1"));
    advance(SECOND);

    ChannelClaimResult result = takeOne(id, 0);

    assertThat(result)
        .isInstanceOfSatisfying(
            ChannelClaimResult.Claimed.class,
            claimed -> {
              assertThat(claimed.now()).isEqualTo(now());
              assertThat(claimed.claimed().instance()).isEqualTo(read(id));
              assertThat(claimed.claimed().data().input()).isEqualTo("7");
              assertThat(claimed.claimed().data().variables()).isEqualTo(Map.of("a", "1"));
            });
    assertThat(read(id).lease()).isEqualTo(new Lease(executor, 1, 0, 1, 0));
    assertThat(read(id).status()).isEqualTo(InstanceStatus.EXECUTING);
  }

  @Test
  void whatWasTakenAndIsGivenBackIsDueAtOnce() {
    long id = start(instance().due(SOON));
    takeOne(id, 0);

    store.instances().release(List.of(fence(read(id))));

    assertThat(claim(10)).extracting(WorkflowInstance::id).containsExactly(id);
  }

  @Test
  void whatIsDueAlreadyStaysDueSinceThen() {
    long id = start(instance());
    var due = read(id).nextActivation();
    advance(HOUR);
    takeOne(id, 0);

    assertThat(read(id).nextActivation()).isEqualTo(due);
  }

  @Test
  void onlyOneOfTwoTakes() {
    long id = start(instance().due(SOON));

    assertThat(takeOne(id, 0)).isInstanceOf(ChannelClaimResult.Claimed.class);
    assertThat(claimNamed(register(), List.of(definition), new Candidate(id, 0)))
        .containsExactly(PASSED);
  }

  @Test
  void whatIsWantedTwiceIsTakenOnce() {
    long id = start(instance().due(SOON));

    List<ChannelClaimResult> results = claimNamed(new Candidate(id, 0), new Candidate(id, 0));

    assertThat(results.getFirst()).isInstanceOf(ChannelClaimResult.Claimed.class);
    assertThat(results.getLast()).isEqualTo(PASSED);
    assertThat(read(id).lease().attempt()).isEqualTo(1);
  }

  @Test
  void theOneThatIsStillThereIsTakenWhateverCameBefore() {
    long id = start(instance().due(SOON));

    List<ChannelClaimResult> results = claimNamed(new Candidate(id, 9), new Candidate(id, 0));

    assertThat(results).anyMatch(ChannelClaimResult.Claimed.class::isInstance);
    assertThat(read(id).lease().executorId()).isEqualTo(executor);
  }

  @Test
  void anotherSeqHasPassed() {
    long id = start(instance().due(SOON));

    assertThat(takeOne(id, 1)).isEqualTo(PASSED);
    assertThat(read(id).lease().executorId()).isNull();
  }

  @Test
  void whatWaitsForAnEventIsNotTaken() {
    WorkflowInstance held = startAndClaim();
    save(new SaveSpec(held).waitFor(PAID, SOON));

    assertThat(takeOne(held.id(), 1)).isEqualTo(PASSED);
  }

  @Test
  void whatIsNeverDueIsNotTaken() {
    long id = start(instance().due(NEVER));

    assertThat(takeOne(id, 0)).isEqualTo(PASSED);
  }

  @Test
  void whatIsPausedOrHasEndedIsNotTaken() {
    long paused = start(instance().due(SOON));
    store.operators().apply(paused, new OperatorCommand.Pause(), BY_ALICE);
    WorkflowInstance ended = startAndClaim();
    save(new SaveSpec(ended).end(InstanceStatus.FINISHED));

    assertThat(takeOne(paused, read(paused).seq())).isEqualTo(PASSED);
    assertThat(takeOne(ended.id(), 1)).isEqualTo(PASSED);
  }

  @Test
  void ofWhatIsForOthersIsToldThatItIs() {
    long other = start(instance().group(group + "x").due(SOON));
    long lacking = start(instance().due(SOON));

    assertThat(takeOne(other, 0)).isEqualTo(new ChannelClaimResult.NotEligible());
    assertThat(claimNamed(executor, List.of(definition + 1_000), new Candidate(lacking, 0)))
        .containsExactly(new ChannelClaimResult.NotEligible());
  }

  @Test
  void answersComeInTheOrderOfTheRequest() {
    long first = start(instance().due(SOON));
    long second = start(instance().due(SOON));

    List<ChannelClaimResult> results =
        claimNamed(
            new Candidate(second, 0),
            new Candidate(Long.MAX_VALUE, 0),
            new Candidate(first, 5),
            new Candidate(first, 0));

    assertThat(results.get(0)).isInstanceOf(ChannelClaimResult.Claimed.class);
    assertThat(results.get(1)).isEqualTo(new ChannelClaimResult.NotFound());
    assertThat(claimNamed()).isEmpty();
  }

  @Test
  void aRetryIsTakenBeforeItsTimeToo() {
    WorkflowInstance held = startAndClaim();
    save(new SaveSpec(held).retry(HOUR));

    assertThat(takeOne(held.id(), 1)).isInstanceOf(ChannelClaimResult.Claimed.class);
    assertThat(read(held.id()).lease().attempt()).isEqualTo(2);
  }

  @Test
  void theInboxComesWithIt() {
    long id = start(instance().due(new Due.After(HOUR)));
    signal(read(id), "hello");

    assertThat(takeOne(id, 0))
        .isInstanceOfSatisfying(
            ChannelClaimResult.Claimed.class,
            claimed -> assertThat(claimed.claimed().data().inboxMessages()).hasSize(1));
  }
}
