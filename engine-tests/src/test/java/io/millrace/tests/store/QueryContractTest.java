package io.millrace.tests.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.millrace.fixtures.store.StoreContract;
import io.millrace.fixtures.store.StoreFixture;
import io.millrace.instance.Due;
import io.millrace.instance.HistoryEntry;
import io.millrace.instance.InboxMessage;
import io.millrace.instance.InstanceQuery;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.InvalidRequestException;
import io.millrace.instance.MillraceException;
import io.millrace.instance.Page;
import io.millrace.instance.WorkflowInstance;
import io.millrace.store.OperatorCommand;
import io.millrace.store.OperatorStore.SignalRequest;
import io.millrace.store.QueryStore.ChildVariable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class QueryContractTest extends StoreContract {

  /** JSON text of a megabyte. */
  private static final String MEGABYTE = '"' + "x".repeat((1 << 20) - 2) + '"';

  QueryContractTest(StoreFixture subject) {
    super(subject);
  }

  private InstanceQuery all() {
    return InstanceQuery.all().type(type);
  }

  private List<Long> find(InstanceQuery query) {
    return find(query, null);
  }

  private List<Long> find(InstanceQuery query, String variableValue) {
    return store.queries().search(query, variableValue).items().stream()
        .map(WorkflowInstance::id)
        .toList();
  }

  @Test
  void nobodyIsFoundNowhere() {
    assertThat(store.queries().find(Long.MAX_VALUE)).isEmpty();
    assertThat(store.queries().findByExternalId(type, group, "x")).isEmpty();
    assertThat(store.queries().input(Long.MAX_VALUE)).isEmpty();
    assertThat(store.queries().variables(Long.MAX_VALUE)).isEmpty();
    assertThat(store.queries().history(Long.MAX_VALUE, 0, 10)).isEmpty();
    assertThat(store.queries().inboxMessages(Long.MAX_VALUE, 10)).isEmpty();
    assertThat(store.queries().search(all(), null)).isEqualTo(new Page<>(List.of(), null));
  }

  @Test
  void theTimeIsThatOfTheStore() {
    advance(SECOND);

    assertThat(store.queries().now()).isEqualTo(now());
  }

  @Test
  void anExternalIdLeadsToItsInstance() {
    long id = start(instance().externalId("e"));

    assertThat(store.queries().findByExternalId(type, group, "e")).contains(read(id));
    assertThat(store.queries().findByExternalId(type, group + "x", "e")).isEmpty();
    assertThat(store.queries().findByExternalId(type + "x", group, "e")).isEmpty();
  }

  @Test
  void aVariableOfAllChildrenComesInTheOrderOfTheirStart() {
    long parent = start(instance());
    start(instance().parent(parent).variable("square", "4"));
    start(instance().parent(parent).variable("other", "5"));
    start(instance().parent(parent).variable("square", "9"));
    start(instance().variable("square", "16"));

    assertThat(store.queries().childVariables(parent, "square", 1000))
        .containsExactly(new ChildVariable(type, 1, "4"), new ChildVariable(type, 1, "9"));
    assertThat(store.queries().childVariables(Long.MAX_VALUE, "square", 1000)).isEmpty();
  }

  @Test
  void variablesOfChildrenAreRefusedWhenTheyAreTooMuchTogether() {
    long parent = start(instance());
    start(instance().parent(parent).variable("square", "1234"));
    start(instance().parent(parent).variable("square", "\"€\""));

    assertThat(store.queries().childVariables(parent, "square", 9)).hasSize(2);
    assertThatThrownBy(() -> store.queries().childVariables(parent, "square", 8))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("'square' of the children of instance " + parent)
        .hasMessageContaining("more than 8 bytes together");
  }

  @Test
  void aPageOfHistoryEndsWhenItsTextsAreLarge() {
    WorkflowInstance held = startAndClaim();
    for (int i = 0; i < 12; i++) {
      held = saveAccepted(transitionOf(held).set("v", MEGABYTE).keepLease());
    }

    List<HistoryEntry> page = store.queries().history(held.id(), 0, 100);

    assertThat(page).hasSizeBetween(7, 9);
    assertThat(store.queries().history(held.id(), page.getLast().seq(), 100))
        .hasSize(12 - page.size());
  }

  @Test
  void aPageOfSignalsEndsWhenTheirPayloadsAreLarge() {
    WorkflowInstance held = startAndClaim();
    for (int i = 0; i < 12; i++) {
      store.operators().signal(new SignalRequest(held.id(), "s" + i, MEGABYTE, null, null));
    }

    assertThat(store.queries().inboxMessages(held.id(), 100))
        .hasSize(8)
        .first()
        .matches(signal -> signal.name().equals("s11"));
  }

  @Test
  void historyIsPagedBySeq() {
    WorkflowInstance held = startAndClaim();
    for (int i = 0; i < 7; i++) {
      held = saveAccepted(transitionOf(held).keepLease());
    }

    assertThat(store.queries().history(held.id(), 0, 3))
        .extracting(HistoryEntry::seq)
        .containsExactly(1, 2, 3);
    assertThat(store.queries().history(held.id(), 3, 3))
        .extracting(HistoryEntry::seq)
        .containsExactly(4, 5, 6);
    assertThat(store.queries().history(held.id(), 6, 3))
        .extracting(HistoryEntry::seq)
        .containsExactly(7);
    assertThat(store.queries().history(held.id(), 7, 3)).isEmpty();
  }

  @Test
  void signalsAreListedNewestFirst() {
    WorkflowInstance held = startAndClaim();
    for (String name : List.of("a", "b", "c", "d")) {
      signal(held, name);
    }
    apply(held, new OperatorCommand.Wake());
    saveAccepted(transitionOf(held).consume(unconsumedMessages(held)));

    assertThat(store.queries().inboxMessages(held.id(), 3))
        .extracting(InboxMessage::kind, InboxMessage::consumedSeq)
        .containsExactly(
            tuple(InboxMessage.Kind.WAKE, 1),
            tuple(InboxMessage.Kind.SIGNAL, 1),
            tuple(InboxMessage.Kind.SIGNAL, 1));
    assertThat(store.queries().inboxMessages(held.id(), 3).get(1).name()).isEqualTo("d");
    assertThat(store.queries().inboxMessages(held.id(), 100)).hasSize(5);
  }

  @Test
  void theNewestInstancesComeFirst() {
    List<Long> ids = start(5);

    assertThat(find(all())).isEqualTo(ids.reversed());
  }

  @Test
  void foundInstancesAreWhole() {
    WorkflowInstance held =
        saveAccepted(transitionOf(startAndClaim()).waitFor(PAID, new Due.After(HOUR)));

    assertThat(store.queries().search(all(), null).items()).containsExactly(read(held));
  }

  @Test
  void typesCanBeLeftOut() {
    long kept = start(instance().businessKey("same"));

    InstanceQuery same = InstanceQuery.all().businessKey("same");
    assertThat(find(all().withoutTypes(Set.of(type + "x")))).containsExactly(kept);
    assertThat(find(all().withoutTypes(Set.of(type, "other")))).isEmpty();
    assertThat(find(same.withoutTypes(Set.of(type)))).doesNotContain(kept);
    assertThat(find(same.withoutTypes(Set.of(type + "x")))).contains(kept);
    assertThat(find(InstanceQuery.all().endedBetween(null, null).withoutTypes(Set.of(type))))
        .doesNotContain(kept);
  }

  @Test
  void eachConditionSelects() {
    long parent = startAndClaim().id();
    long a = start(instance().state("s1").businessKey("b1").externalId("e1"));
    long b = start(instance().state("s2").businessKey("b2").externalId("e2").parent(parent));

    assertThat(find(all().state("s1"))).containsExactly(a);
    assertThat(find(all().businessKey("b2"))).containsExactly(b);
    assertThat(find(all().externalId("e1"))).containsExactly(a);
    assertThat(find(all().parent(parent))).containsExactly(b);
    assertThat(find(InstanceQuery.all().type(type + "x"))).isEmpty();
  }

  @Test
  void allConditionsMustHold() {
    start(instance().state("s1").businessKey("b1"));
    long both = start(instance().state("s1").businessKey("b2"));
    start(instance().state("s2").businessKey("b2"));

    assertThat(find(all().state("s1").businessKey("b2"))).containsExactly(both);
  }

  @Test
  void textIsComparedLiterally() {
    start(instance().businessKey("abc"));
    long percent = start(instance().businessKey("a%"));
    long quote = start(instance().businessKey("a'; --"));

    assertThat(find(all().businessKey("a%"))).containsExactly(percent);
    assertThat(find(all().businessKey("a'; --"))).containsExactly(quote);
    assertThat(find(all().businessKey("ABC"))).isEmpty();
  }

  @Test
  void theStatusIsTheOneThatPeopleSee() {
    long created = start(instance());
    long executing = startAndClaim().id();
    long inProgress = saveAccepted(transitionOf(startAndClaim())).id();
    long executingAgain = saveAccepted(transitionOf(startAndClaim()).keepLease()).id();
    long paused = applyAccepted(read(start(instance())), new OperatorCommand.Pause()).id();
    long finished = saveAccepted(transitionOf(startAndClaim()).end(InstanceStatus.FINISHED)).id();

    assertThat(find(all().status(InstanceStatus.CREATED))).containsExactly(created);
    assertThat(find(all().status(InstanceStatus.EXECUTING)))
        .containsExactly(executingAgain, executing);
    assertThat(find(all().status(InstanceStatus.IN_PROGRESS))).containsExactly(inProgress);
    assertThat(find(all().status(InstanceStatus.PAUSED, InstanceStatus.FINISHED)))
        .containsExactly(finished, paused);
    assertThat(find(all().status(InstanceStatus.EXECUTING, InstanceStatus.CREATED)))
        .containsExactly(executingAgain, executing, created);
    assertThat(find(all().status(InstanceStatus.MANUAL))).isEmpty();
  }

  @Test
  void timesAreLimitedFromInclusiveToExclusive() {
    Instant first = now();
    long a = start(instance());
    advance(SECOND);
    Instant second = now();
    long b = start(instance());
    advance(SECOND);

    assertThat(find(all().createdBetween(first, second))).containsExactly(a);
    assertThat(find(all().createdBetween(second, null))).containsExactly(b);
    assertThat(find(all().createdBetween(null, now()))).containsExactly(b, a);
    assertThat(find(all().createdBetween(now(), null))).isEmpty();
  }

  @Test
  void theLastChangeIsAConditionToo() {
    long untouched = start(instance());
    WorkflowInstance held = startAndClaim();
    advance(SECOND);
    saveAccepted(transitionOf(held));

    assertThat(find(all().modifiedBetween(now(), null))).containsExactly(held.id());
    assertThat(find(all().modifiedBetween(null, now()))).containsExactly(untouched);
  }

  @Test
  void aVariableIsComparedWithItsJsonText() {
    long text = start(instance().variable("v", "\"1\""));
    long number = start(instance().variable("v", "1"));
    start(instance().variable("w", "1"));
    start(instance().variable("v", "12"));

    assertThat(find(all().variable("v", 1), "1")).containsExactly(number);
    assertThat(find(all().variable("v", "1"), "\"1\"")).containsExactly(text);
    assertThat(find(all().variable("v", "2"), "2")).isEmpty();
  }

  @Test
  void aVariableIsFoundByItsLatestValue() {
    WorkflowInstance held = startAndClaim(instance().variable("v", "1").variable("w", "1"));
    saveAccepted(transitionOf(held).set("v", "\"ä😀\"").remove("w").variableCount(1));

    assertThat(find(all().variable("v", 1), "1")).isEmpty();
    assertThat(find(all().variable("w", 1), "1")).isEmpty();
    assertThat(find(all().variable("v", "ä😀"), "\"ä😀\"")).containsExactly(held.id());
  }

  @Test
  void anEditedVariableIsFound() {
    WorkflowInstance it = read(start(instance().variable("v", "1")));
    applyAccepted(it, new OperatorCommand.EditVariables(Map.of("v", "true")));

    assertThat(find(all().variable("v", true), "true")).containsExactly(it.id());
    assertThat(find(all().variable("v", 1), "1")).isEmpty();
  }

  @Test
  void pagesFollowEachOtherWithoutGapOrRepeatOverEqualTimes() {
    List<Long> ids = start(10);
    List<Long> found = new ArrayList<>();
    InstanceQuery query = all().limit(3);
    Page<WorkflowInstance> page;
    do {
      page = store.queries().search(query, null);
      assertThat(page.items()).hasSizeLessThanOrEqualTo(3).isNotEmpty();
      page.items().forEach(i -> found.add(i.id()));
      query = query.after(page.next());
    } while (page.next() != null);

    assertThat(found).isEqualTo(ids.reversed());
  }

  @Test
  void thePageThatEndsExactlyAtTheLastInstanceIsTheLast() {
    start(4);
    Page<WorkflowInstance> first = store.queries().search(all().limit(2), null);
    assertThat(first.next()).isNotNull();

    assertThat(store.queries().search(all().limit(2).after(first.next()), null).next()).isNull();
    assertThat(store.queries().search(all().limit(4), null).next()).isNull();
  }

  @Test
  void pagesStayInPlaceWhileNewInstancesArrive() {
    List<Long> ids = start(4);
    Page<WorkflowInstance> first = store.queries().search(all().limit(2), null);
    start(3);

    assertThat(find(all().limit(2).after(first.next()))).containsExactly(ids.get(1), ids.get(0));
  }

  @Test
  void pagesKeepTheirConditions() {
    for (int i = 0; i < 6; i++) {
      start(instance().businessKey(i % 2 == 0 ? "even" : "odd"));
    }
    InstanceQuery even = all().businessKey("even").limit(2);
    Page<WorkflowInstance> first = store.queries().search(even, null);
    Page<WorkflowInstance> second = store.queries().search(even.after(first.next()), null);

    assertThat(second.items())
        .singleElement()
        .satisfies(i -> assertThat(i.origin().businessKey()).isEqualTo("even"));
    assertThat(second.next()).isNull();
  }

  @Test
  void aMadeUpCursorIsRefused() {
    assertThatThrownBy(() -> store.queries().search(all().after("made up"), null))
        .isInstanceOf(MillraceException.class);
  }
}
