package io.millrace.verification.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.instance.Due;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.Lease;
import io.millrace.instance.WorkflowInstance;
import io.millrace.store.DeedCommand;
import io.millrace.store.TakeRequest;
import io.millrace.store.TakeRequest.Wanted;
import io.millrace.store.TakeResult;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TakeContractTest extends StoreContract {

  private static final TakeResult PASSED = new TakeResult.Passed();

  TakeContractTest(StoreUnderTest subject) {
    super(subject);
  }

  private List<TakeResult> take(Wanted... wanted) {
    return take(executor, List.of(definition), wanted);
  }

  private List<TakeResult> take(long executorId, List<Integer> definitions, Wanted... wanted) {
    return store.work().take(new TakeRequest(executorId, group, definitions, List.of(wanted)));
  }

  private TakeResult takeOne(long id, int seq) {
    return take(new Wanted(id, seq)).getFirst();
  }

  @Test
  void anInstanceIsTakenBeforeItsTime() {
    long id = start(instance().due(SOON).input("7").variable("a", "1"));
    pass(SECOND);

    TakeResult result = takeOne(id, 0);

    assertThat(result)
        .isInstanceOfSatisfying(
            TakeResult.Taken.class,
            taken -> {
              assertThat(taken.now()).isEqualTo(now());
              assertThat(taken.claimed().instance()).isEqualTo(read(id));
              assertThat(taken.claimed().payload().input()).isEqualTo("7");
              assertThat(taken.claimed().payload().variables()).isEqualTo(Map.of("a", "1"));
            });
    assertThat(read(id).lease()).isEqualTo(new Lease(executor, 1, 0, 1, 0));
    assertThat(read(id).status()).isEqualTo(InstanceStatus.EXECUTING);
  }

  @Test
  void whatWasTakenAndIsGivenBackIsDueAtOnce() {
    long id = start(instance().due(SOON));
    takeOne(id, 0);

    store.work().release(List.of(fence(read(id))));

    assertThat(claim(10)).extracting(WorkflowInstance::id).containsExactly(id);
  }

  @Test
  void whatIsDueAlreadyStaysDueSinceThen() {
    long id = start(instance());
    var due = read(id).nextActivation();
    pass(HOUR);
    takeOne(id, 0);

    assertThat(read(id).nextActivation()).isEqualTo(due);
  }

  @Test
  void onlyOneOfTwoTakes() {
    long id = start(instance().due(SOON));

    assertThat(takeOne(id, 0)).isInstanceOf(TakeResult.Taken.class);
    assertThat(take(register(), List.of(definition), new Wanted(id, 0))).containsExactly(PASSED);
  }

  @Test
  void whatIsWantedTwiceIsTakenOnce() {
    long id = start(instance().due(SOON));

    List<TakeResult> results = take(new Wanted(id, 0), new Wanted(id, 0));

    assertThat(results.getFirst()).isInstanceOf(TakeResult.Taken.class);
    assertThat(results.getLast()).isEqualTo(PASSED);
    assertThat(read(id).lease().attempt()).isEqualTo(1);
  }

  @Test
  void theOneThatIsStillThereIsTakenWhateverCameBefore() {
    long id = start(instance().due(SOON));

    List<TakeResult> results = take(new Wanted(id, 9), new Wanted(id, 0));

    assertThat(results).anyMatch(TakeResult.Taken.class::isInstance);
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
    WorkflowInstance held = held();
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
    store.operators().apply(paused, new DeedCommand.Pause(), DEED);
    WorkflowInstance ended = held();
    save(new SaveSpec(ended).end(InstanceStatus.FINISHED));

    assertThat(takeOne(paused, read(paused).seq())).isEqualTo(PASSED);
    assertThat(takeOne(ended.id(), 1)).isEqualTo(PASSED);
  }

  @Test
  void ofWhatIsForOthersIsToldThatItIs() {
    long other = start(instance().group(group + "x").due(SOON));
    long lacking = start(instance().due(SOON));

    assertThat(takeOne(other, 0)).isEqualTo(new TakeResult.Elsewhere());
    assertThat(take(executor, List.of(definition + 1_000), new Wanted(lacking, 0)))
        .containsExactly(new TakeResult.Elsewhere());
  }

  @Test
  void answersComeInTheOrderOfTheRequest() {
    long first = start(instance().due(SOON));
    long second = start(instance().due(SOON));

    List<TakeResult> results =
        take(
            new Wanted(second, 0),
            new Wanted(Long.MAX_VALUE, 0),
            new Wanted(first, 5),
            new Wanted(first, 0));

    assertThat(results.get(0)).isInstanceOf(TakeResult.Taken.class);
    assertThat(results.get(1)).isEqualTo(new TakeResult.Unknown());
    assertThat(take()).isEmpty();
  }

  @Test
  void aRetryIsTakenBeforeItsTimeToo() {
    WorkflowInstance held = held();
    save(new SaveSpec(held).retry(HOUR));

    assertThat(takeOne(held.id(), 1)).isInstanceOf(TakeResult.Taken.class);
    assertThat(read(held.id()).lease().attempt()).isEqualTo(2);
  }

  @Test
  void theInboxComesWithIt() {
    long id = start(instance().due(new Due.After(HOUR)));
    signal(read(id), "hello");

    assertThat(takeOne(id, 0))
        .isInstanceOfSatisfying(
            TakeResult.Taken.class,
            taken -> assertThat(taken.claimed().payload().inbox()).hasSize(1));
  }
}
