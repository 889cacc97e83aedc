package io.millrace.tests.sequence.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.fixtures.store.SaveSpec;
import io.millrace.fixtures.store.StoreContract;
import io.millrace.fixtures.store.StoreFixture;
import io.millrace.instance.Due;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.WorkflowInstance;
import io.millrace.store.ChannelMessage;
import io.millrace.store.OperatorCommand;
import io.millrace.store.OutboxStore;
import io.millrace.store.OutboxStore.Message;
import io.millrace.store.SaveResult;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class OutboxContractTest extends StoreContract {

  private static final ChannelMessage NOW = new ChannelMessage("a.channel", Duration.ZERO, false);

  OutboxContractTest(StoreFixture subject) {
    super(subject);
  }

  /** Empties the outbox, which all tests of a store share. */
  @BeforeEach
  void empty() {
    advance(HOUR);
    for (List<Message> left = take(); !left.isEmpty(); left = take()) {
      store.role(OutboxStore.class).markSent(left.stream().map(Message::key).toList());
    }
  }

  private List<Message> take() {
    return store.role(OutboxStore.class).claim(100, HOUR);
  }

  private WorkflowInstance handedOver(ChannelMessage message) {
    WorkflowInstance held = startAndClaim(instance().businessKey("key"));
    save(new SaveSpec(held).to("next").due(SOON).handover(message));
    return held;
  }

  @Test
  void theMessageOfATransitionTellsOfIt() {
    WorkflowInstance held = handedOver(NOW);

    assertThat(take())
        .containsExactly(
            new Message(
                new OutboxStore.Key(held.id(), 1),
                "a.channel",
                new OutboxStore.Instance(type, 1, "key"),
                "next",
                false,
                0));
  }

  @Test
  void theMessageOfAStartTellsOfIt() {
    long id = start(instance().due(SOON).handover(NOW));

    assertThat(take())
        .containsExactly(
            new Message(
                new OutboxStore.Key(id, 0),
                "a.channel",
                new OutboxStore.Instance(type, 1, null),
                "begin",
                false,
                0));
  }

  @Test
  void aMessageOfARetryComesWhenThatIsDue() {
    WorkflowInstance held = startAndClaim();
    save(new SaveSpec(held).retry(HOUR).handover(new ChannelMessage("c", SECOND, true)));

    assertThat(take()).isEmpty();
    advance(SECOND);
    assertThat(take()).singleElement().satisfies(message -> assertThat(message.retry()).isTrue());
  }

  @Test
  void whatIsTakenIsKeptFromOthersForATime() {
    WorkflowInstance held = startAndClaim();
    save(new SaveSpec(held).to("next").due(new Due.After(HOUR.multipliedBy(9))).handover(NOW));

    assertThat(take()).hasSize(1);
    assertThat(take()).isEmpty();
    advance(HOUR);
    assertThat(take()).singleElement().satisfies(m -> assertThat(m.tries()).isEqualTo(1));
  }

  @Test
  void whatWasSentIsGone() {
    handedOver(NOW);
    store.role(OutboxStore.class).markSent(take().stream().map(Message::key).toList());
    advance(HOUR);

    assertThat(take()).isEmpty();
  }

  @Test
  void whatFailedComesAgainAfterItsTime() {
    WorkflowInstance held = handedOver(NOW);
    take();
    store
        .role(OutboxStore.class)
        .markFailed(List.of(new OutboxStore.Key(held.id(), 1)), "x".repeat(5_000), SECOND);

    assertThat(take()).isEmpty();
    advance(SECOND);
    assertThat(take()).hasSize(1);
  }

  @Test
  void aMessageOfWhatHasGoneOnIsDropped() {
    WorkflowInstance held = handedOver(NOW);
    advance(Duration.ofMinutes(2));
    WorkflowInstance again = claimOne();
    save(new SaveSpec(again).to("third"));

    assertThat(take()).isEmpty();
    advance(HOUR);
    assertThat(take()).isEmpty();
    assertThat(read(held.id()).state()).isEqualTo("third");
  }

  @Test
  void aMessageOfWhatRunsOrIsPausedIsDropped() {
    handedOver(NOW);
    advance(Duration.ofMinutes(2));
    claimOne();
    long paused = start(instance().due(SOON).handover(NOW));
    store.operators().apply(paused, new OperatorCommand.Pause(), BY_ALICE);

    assertThat(take()).isEmpty();
  }

  @Test
  void aFencedTransitionLeavesNoMessage() {
    WorkflowInstance held = startAndClaim();
    save(new SaveSpec(held).to("other").due(SOON));

    SaveResult late = save(new SaveSpec(held).to("next").due(SOON).handover(NOW));

    assertThat(late).isInstanceOf(SaveResult.Fenced.class);
    assertThat(take()).isEmpty();
  }

  @Test
  void aRepeatedTransitionLeavesOneMessage() {
    WorkflowInstance held = handedOver(NOW);
    save(new SaveSpec(held).to("next").due(SOON).handover(NOW));

    assertThat(take()).hasSize(1);
  }

  @Test
  void theOldestComeFirstAndNoMoreThanTheLimit() {
    long first = start(instance().due(SOON).handover(NOW));
    advance(SECOND);
    long second = start(instance().due(SOON).handover(NOW));
    advance(SECOND);
    start(instance().due(SOON).handover(NOW));

    assertThat(store.role(OutboxStore.class).claim(2, HOUR))
        .extracting(message -> message.key().instanceId())
        .containsExactly(first, second);
  }

  @Test
  void aChildHasItsMessageToo() {
    WorkflowInstance parent = startAndClaim();
    save(
        new SaveSpec(parent)
            .status(InstanceStatus.IN_PROGRESS)
            .due(SOON)
            .child(instance().due(SOON).handover(NOW)));

    assertThat(take()).hasSize(1);
  }
}
