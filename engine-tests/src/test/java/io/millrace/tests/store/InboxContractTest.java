package io.millrace.tests.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.fixtures.store.StoreContract;
import io.millrace.fixtures.store.StoreFixture;
import io.millrace.instance.InboxMessage;
import io.millrace.instance.WorkflowInstance;
import io.millrace.store.ClaimResult;
import io.millrace.store.InboxRules;
import io.millrace.store.OperatorCommand;
import io.millrace.store.OperatorStore.CommandResult;
import io.millrace.store.OperatorStore.SignalRequest;
import io.millrace.store.OperatorStore.SignalResult;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests of large inboxes: the limit of signals read at once, and the limit of accepted signals. */
class InboxContractTest extends StoreContract {

  /** JSON text of a megabyte. */
  private static final String MEGABYTE = '"' + "x".repeat((1 << 20) - 2) + '"';

  InboxContractTest(StoreFixture subject) {
    super(subject);
  }

  private SignalResult send(WorkflowInstance instance, String name, String payload) {
    return store.operators().signal(new SignalRequest(instance.id(), name, payload, null, null));
  }

  /**
   * Fills an inbox to the last byte and answers with its messages. The oldest fills a page; the
   * many small ones are beyond what is let in unseen, and the few that are huge come last, since
   * the payloads are counted again for each message behind them.
   */
  private int fill(WorkflowInstance instance) {
    int small = InboxRules.ALWAYS_ALLOWED + 10;
    int huge = 3;
    assertThat(send(instance, "large", MEGABYTE)).isEqualTo(SignalResult.IN_INBOX);
    assertThat(signal(instance, "first", "key")).isEqualTo(SignalResult.IN_INBOX);
    for (int i = 0; i < small; i++) {
      assertThat(send(instance, "small", "1")).isEqualTo(SignalResult.IN_INBOX);
    }
    int left = (int) (InboxRules.MAX_UNCONSUMED_BYTES - MEGABYTE.length() - small);
    assertThat(left % huge).isZero();
    String payload = '"' + "x".repeat(left / huge - 2) + '"';
    for (int i = 0; i < huge; i++) {
      assertThat(send(instance, "huge", payload)).isEqualTo(SignalResult.IN_INBOX);
    }
    return 2 + small + huge;
  }

  private List<String> names(List<InboxMessage> messages) {
    return messages.stream().map(InboxMessage::name).toList();
  }

  private List<InboxMessage> claimedInbox() {
    List<ClaimResult.Claimed> claimed = claim(executor, 1).claimed();
    return claimed.getFirst().data().inboxMessages();
  }

  @Test
  void aClaimReadsTheOldestMessages() {
    WorkflowInstance instance = read(start(instance()));
    for (int i = 0; i < InboxRules.PAGE + 5; i++) {
      signal(instance, "n" + i);
    }

    List<InboxMessage> page = claimedInbox();

    assertThat(page).hasSize(InboxRules.PAGE).isEqualTo(unconsumedMessages(instance));
    assertThat(page.getFirst().name()).isEqualTo("n0");
    assertThat(page.getLast().name()).isEqualTo("n" + (InboxRules.PAGE - 1));
    assertThat(read(instance).details().inboxCount()).isEqualTo(InboxRules.PAGE + 5);
  }

  @Test
  void aClaimReadsNoMorePayloadsThanAPageMayHave() {
    WorkflowInstance instance = read(start(instance()));
    signal(instance, "small");
    send(instance, "large", MEGABYTE);
    send(instance, "large", MEGABYTE);
    signal(instance, "behind");

    assertThat(names(claimedInbox())).containsExactly("small", "large");
  }

  @Test
  void onePageDoesNotTakeTheRoomOfAnother() {
    WorkflowInstance full = read(start(instance()));
    WorkflowInstance other = read(start(instance()));
    for (int i = 0; i < 10; i++) {
      send(full, "large", MEGABYTE);
    }
    signal(other, "small");

    List<ClaimResult.Claimed> claimed = claim(executor, 2).claimed();

    assertThat(names(claimed.get(0).data().inboxMessages())).containsExactly("large");
    assertThat(names(claimed.get(1).data().inboxMessages())).containsExactly("small");
  }

  @Test
  void requestsAreReadHoweverManySignalsThereAre() {
    WorkflowInstance held = startAndClaim();
    send(held, "large", MEGABYTE);
    for (int i = 0; i < InboxRules.PAGE; i++) {
      signal(held, "n");
    }
    apply(held, new OperatorCommand.Wake());
    apply(held, new OperatorCommand.Pause());

    List<InboxMessage> page = unconsumedMessages(held);

    assertThat(page)
        .hasSize(InboxRules.PAGE)
        .isSortedAccordingTo((a, b) -> Long.compare(a.id(), b.id()));
    assertThat(page)
        .extracting(InboxMessage::kind)
        .endsWith(InboxMessage.Kind.SIGNAL, InboxMessage.Kind.WAKE, InboxMessage.Kind.PAUSE);
  }

  @Test
  void theOldestSignalOfANameIsFoundWhereverItIs() {
    WorkflowInstance held = startAndClaim();
    for (int i = 0; i < InboxRules.PAGE; i++) {
      signal(held, "noise");
    }
    send(held, "paid", "1");
    send(held, "paid", "2");
    apply(held, new OperatorCommand.Wake());

    InboxMessage first = store.instances().oldestSignal(held.id(), "paid").orElseThrow();
    assertThat(first.payload()).isEqualTo("1");
    assertThat(store.instances().oldestSignal(held.id(), "noise"))
        .contains(unconsumedMessages(held).getFirst());
    assertThat(store.instances().oldestSignal(held.id(), "other")).isEmpty();
    assertThat(store.instances().oldestSignal(held.id(), "wake")).isEmpty();

    saveAccepted(transitionOf(held).consume(List.of(first)));
    assertThat(store.instances().oldestSignal(held.id(), "paid").orElseThrow().payload())
        .isEqualTo("2");
  }

  @Test
  void aWaitForASignalThatWasNotReadIsOverAtOnce() {
    WorkflowInstance held = startAndClaim();
    for (int i = 0; i < InboxRules.PAGE; i++) {
      signal(held, "noise");
    }
    signal(held, "paid");

    WorkflowInstance waiting = saveAccepted(transitionOf(held).waitFor(PAID, NEVER));

    assertThat(waiting.nextActivation()).isEqualTo(now());
  }

  /** A message that was sent before is known, and is no new signal. */
  @Test
  void aFullInboxTakesOnlyTheSignalThatIsWaitedForOnceUntilSomeAreRead() {
    WorkflowInstance waiting = waitingFor(PAID);
    int messages = fill(waiting);

    assertThat(send(waiting, "other", "1")).isEqualTo(SignalResult.FULL);
    assertThat(read(waiting).details().inboxCount()).isEqualTo(messages);
    assertThat(signal(waiting, "first", "key")).isEqualTo(SignalResult.DUPLICATE);
    assertThat(send(waiting, "paid", "1")).isEqualTo(SignalResult.WOKEN);
    assertThat(send(waiting, "paid", "2")).isEqualTo(SignalResult.FULL);
    assertThat(store.instances().oldestSignal(waiting.id(), "paid").orElseThrow().payload())
        .isEqualTo("1");

    List<InboxMessage> page = claimedInbox();
    assertThat(names(page)).containsExactly("large", "first");
    saveAccepted(transitionOf(read(waiting)).consume(page));
    assertThat(send(waiting, "other", "1")).isEqualTo(SignalResult.IN_INBOX);
  }

  @Test
  void requestsDoNotPileUp() {
    WorkflowInstance held = startAndClaim();
    for (int i = 0; i < InboxRules.MAX_REQUESTS + 5; i++) {
      assertThat(apply(held, new OperatorCommand.Wake()))
          .isEqualTo(new CommandResult.AfterAttempt());
    }
    assertThat(apply(held, new OperatorCommand.Pause()))
        .isEqualTo(new CommandResult.AfterAttempt());

    assertThat(read(held).details().inboxCount()).isEqualTo(InboxRules.MAX_REQUESTS + 1);
    saveAccepted(transitionOf(held).consume(unconsumedMessages(held)).due(SOON));
    assertThat(read(held).details().inboxCount()).isZero();
    assertThat(read(held).nextActivation()).isEqualTo(now());
  }
}
